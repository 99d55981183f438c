import { aiUiMessageStream } from '../../adapters/ai-ui-message-stream.ts'
import { gatedAdapters } from '../gated-adapter.ts'

/** The adapters of stores whose client tools a transport keeps back. */
export const gated = gatedAdapters(aiUiMessageStream)
