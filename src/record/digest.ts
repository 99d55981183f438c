import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** SHA-256, in hexadecimal. Not by Web Crypto: that answers later, when the text is gone, and only on safe origins. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes))
}
