import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createChat } from './chat.ts'
import { createLog } from './log.ts'
import './page.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const log = createLog()
createRoot(root).render(
  <StrictMode>
    <App chat={createChat(log)} log={log} />
  </StrictMode>,
)
