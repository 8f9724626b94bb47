/**
 * The first bytes of an answer as text that can be stored and shown: valid UTF-8 of at most `maxBytes`, cut
 * between characters, without control characters except tab and line breaks. `isCut` says that the answer had
 * more bytes than these.
 */
export function previewText(bytes: Buffer, maxBytes: number, isCut: boolean): string {
  // A decoder that waits for more drops half a character at the end; one that does not shows it as U+FFFD.
  const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), {
    stream: isCut || bytes.length > maxBytes,
  })
  const shown = text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
  // Each byte that is no UTF-8 became one character of three.
  const encoded = Buffer.from(shown)
  if (encoded.length <= maxBytes) return shown
  return new TextDecoder().decode(encoded.subarray(0, maxBytes), { stream: true })
}

/**
 * The preview of an answer that is compressed, or undefined when it is not. Such a body is never unpacked:
 * we asked for `identity`, and a few kilobytes may stand for gigabytes.
 */
export function encodedPreview(contentEncoding: string | undefined): string | undefined {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return undefined
  return /^[a-z0-9-]{1,20}$/.test(encoding) ? `(${encoding}, not shown)` : '(encoded, not shown)'
}
