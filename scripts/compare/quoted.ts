import type { FaultName } from '../../test/hosts/common.ts'

/**
 * What blocks say that an application copies into its own source, so that there is no package to run: measured once, with
 * the tools on the server, Anthropic's events and jsdom, 20 s after the last event.
 */
export const quoted = {
  date: '2026-11-30',
  aiElements: 'AI Elements `Tool`, copied 2026-07-09, on ai 7.0.173',
  assistantUi: 'assistant-ui `ToolFallback`, copied 2026-08-22, on @assistant-ui/react 0.15.22',
  says: {
    'a call without arguments': ['right', 'right'],
    'the connection drops': ['Pending', 'Used tool'],
    'a clean end in mid arguments': ['Pending', 'Used tool, Allow, Deny'],
    'a stall': ['Pending', 'Used tool, turning'],
    'a stop by the user': ['Pending', 'Used tool, Allow, Deny'],
    'a reload in mid arguments': ['Pending', 'Used tool, Allow, Deny'],
    'malformed JSON': ['Error', 'Used tool ✓'],
    'details that do not fit': ['Error', 'Used tool ✓'],
    'two calls, one damaged': ['Error on the damaged one', 'Used tool ✓, twice'],
    'an error of the service': ['Pending', 'Used tool'],
    'a call that is never finished': ['Pending', 'Used tool, Allow, Deny'],
    'the stream dies while the tool runs': ['Running', 'Used tool'],
    'a content filter': ['Error', 'Used tool ✓'],
  } satisfies { readonly [Name in FaultName]?: readonly [string, string] },
}
