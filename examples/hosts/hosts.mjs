// The host kits that have a page here. To add one:
//
//   1. a folder of its name beside this file, with `main.tsx`: the recipe of docs/hosts.md on the real package. What is
//      not the recipe comes from `shell/`: `mount` the page, take `apiOf`, `tools`, `deadlines`, `gate` and `runTool`.
//      Take `ai-sdk/main.tsx` as the pattern; `data-busy` on its composer is what the tests wait for.
//   2. `server/wires/<name>.mjs`: how its wire says each step of `scenarios.mjs`; `server/wires/wire.d.mts` says which.
//      A kit that speaks a wire that is there already takes that one.
//   3. an entry in this list.
//   4. `test/hosts/<name>.test.ts`: `testHost(name, { … })`, with what differs from `common.ts` and why.
//
//   hosts.mjs       this list
//   scenarios.mjs   what a reply brings and what goes wrong with it, in steps that know no wire
//   shell/          settings from the query string, tools, the log of their runs, the composer, the frame of a page
//   server/         answers the pages: sessions, the player of scenarios, one file per wire
//   site.mjs        what is served for a host; bundle.mjs bundles its page at the first visit, so no package is listed
//   <name>/         the page of a host kit
import { agUi } from './server/wires/ag-ui.mjs'
import { aiSdk } from './server/wires/ai-sdk.mjs'
import { langchainReact } from './server/wires/langchain-react.mjs'
import { langgraph } from './server/wires/langgraph.mjs'
import { tanstackAi } from './server/wires/tanstack-ai.mjs'

/**
 * `inlineStyles`: the kit writes `<style>` elements into the page, which the policy of all others forbids.
 */
export const hosts = [
  { name: 'ai-sdk', title: 'AI SDK: useChat', wire: aiSdk, inlineStyles: false },
  { name: 'assistant-ui', title: 'assistant-ui on the AI SDK', wire: aiSdk, inlineStyles: false },
  { name: 'copilotkit', title: 'CopilotKit: CopilotChat', wire: agUi, inlineStyles: true },
  {
    name: 'langchain-react',
    title: 'LangGraph: useStream of @langchain/react',
    wire: langchainReact,
    inlineStyles: false,
  },
  { name: 'langgraph', title: 'LangGraph: useStream of langgraph-sdk', wire: langgraph, inlineStyles: false },
  { name: 'tanstack-ai', title: 'TanStack AI: useChat', wire: tanstackAi, inlineStyles: false },
]
