import type { Browser, Page } from 'playwright'
import { type Executor, type Fault, type FaultName, faults } from '../../test/hosts/common.ts'
import { HostPage } from '../../test/hosts/host-page.ts'
import { type Comparing, type Comparison, comparisons, type Outcome, type Row, written } from './comparisons.ts'

/** A chat has come to rest when nothing in it has changed for so long. */
const REST = 3_000
/** How long it may take to come to rest, until it is read as it is. */
const PATIENCE = 12_000
const TABS = 4

const BLOCKS = '[data-testid="copilot-tool-render"], [data-part-type="tool-call"], [data-tool-call]'

/** Plays all faults, with the blocks of the host and with those of this kit. */
export async function measureAll(browser: Browser, address: string): Promise<readonly Comparing[]> {
  const tabs = await Promise.all(Array.from({ length: TABS }, () => openTab(browser)))
  const compared: Comparing[] = []
  for (const comparison of comparisons) {
    await (await fetch(`${address}${comparison.host}/`)).text()
    const names = namesFor(comparison)
    const rows = new Map<FaultName, Row>()
    const left = [...names]
    const work = async (tab: Page): Promise<void> => {
      for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
        const host = await measure(tab, address, comparison, fault, 'host')
        const kit = await measure(tab, address, comparison, fault, 'kit')
        rows.set(fault, { fault, host, kit })
        console.log(`${comparison.host}: ${fault}: ${host.says} | ${kit.says}`)
      }
    }
    await Promise.all(tabs.map(work))
    compared.push({ ...comparison, rows: names.flatMap((name) => rows.get(name) ?? []) })
  }
  return compared
}

/** The faults that are asked about where these run the tools. */
function namesFor({ executors }: Comparison): FaultName[] {
  return (Object.keys(faults) as FaultName[]).filter((name) => executors.kit in faults[name].ends)
}

async function openTab(browser: Browser): Promise<Page> {
  const tab = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage()
  tab.setDefaultTimeout(120_000)
  await HostPage.watch(tab)
  return tab
}

async function measure(
  tab: Page,
  address: string,
  { host, executors }: Comparison,
  fault: FaultName,
  whose: 'host' | 'kit',
): Promise<Outcome> {
  const { scenario, meanwhile, act, ...settings }: Fault = faults[fault]
  const deadlines = settings.deadlines ?? 'default'
  const executor = executors[whose]
  const block = whose === 'kit' ? 'kit' : 'default'
  const page = await HostPage.open(tab, address, host, { scenario, executor, deadlines, block })
  await page.press('Send')
  if (meanwhile !== undefined) {
    if (meanwhile !== null && whose === 'kit') await page.untilLabel(labelFor(meanwhile, executor))
    // The default blocks have no label to wait for: that some arguments have come is as near as can be.
    if (whose === 'host') await tab.locator(BLOCKS).first().waitFor()
    await page.go()
  }
  await act?.(page)
  await untilRest(tab)
  const runs = executor === 'server' ? await page.serverRuns() : await page.clientRuns()
  return { says: await read(tab, whose), runs: runs.length }
}

async function untilRest(tab: Page): Promise<void> {
  const from = Date.now()
  let last = ''
  let since = from
  while (Date.now() - from < PATIENCE) {
    const now = await tab.evaluate(() => {
      const busy = document.querySelector('[data-chat] .composer')?.getAttribute('data-busy')
      return `${busy} ${document.querySelector('main')?.textContent} ${document.querySelector('#runs')?.textContent}`
    })
    if (now !== last) since = Date.now()
    else if (Date.now() - since >= REST && now.startsWith('false')) return
    last = now
    await tab.waitForTimeout(250)
  }
}

function labelFor(meanwhile: NonNullable<Fault['meanwhile']>, executor: Executor): RegExp {
  return meanwhile instanceof RegExp ? meanwhile : meanwhile[executor]
}

function read(tab: Page, whose: 'host' | 'kit'): Promise<string> {
  if (whose === 'kit') return tab.evaluate(() => window.hostPage.said('first')).then(written)
  return tab
    .locator(BLOCKS)
    .allInnerTexts()
    .then((labels) => written({ labels: labels.map((label) => label.replace(/\s+/g, ' ').trim()), notice: null }))
}
