import pluralize from 'pluralize'

/** `an agent`, `a user`, `an hour`: goes by how the word sounds. */
export function withArticle(noun: string): string {
  return `${VOWEL.test(noun) && !SPOKEN_YOU_OR_WON.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Begins with the sound of a vowel; some abbreviations are spelled out: an SMS. */
const VOWEL =
  /^(?:[aeiou]|hour|heir|honest|honou?r|(?:faq|html|http|llm|mfa|nft|rss|sdk|sms|sql|ssh|ssl|svg|xml)(?![a-z]))/i

/** A user, a unit, a URL, a euro, a one-time code. */
const SPOKEN_YOU_OR_WON = /^(?:eu|on(?:e|ce)(?![a-z])|u(?:ni(?![mn])|rl|ri|uid|s[aeu]|sb|ti|[^a-z]|$))/i

/** One row of a collection, in words: `a product`, `an agent`; `one of news`, for which there is no singular. */
export function oneOf(collection: string): string {
  const one = pluralize.singular(collection)
  return one === collection ? `one of ${collection}` : withArticle(one)
}
