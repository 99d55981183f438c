/** The text of one message, which may be told again from its start. */
export interface ToldText {
  again(): void
  /** What of these words is news. */
  take(words: string): string
}

/** Counts and does not compare, so that no second copy of a long reply is kept. */
export function toldText(): ToldText {
  let told = 0
  let at = 0
  return {
    again() {
      at = 0
    },
    take(words) {
      const news = words.slice(told - at)
      at += words.length
      told = Math.max(told, at)
      return news
    },
  }
}
