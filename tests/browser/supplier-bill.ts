/** A supplier's bill of one page, as a PDF that browsers show. */
export function supplierBill(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, at) => `BT /F1 ${at === 0 ? 22 : 12} Tf 60 ${770 - at * 34} Td (${line}) Tj ET`)
    .join('\n')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const parts = ['%PDF-1.4\n', ...objects.map((one, at) => `${at + 1} 0 obj${one}endobj\n`)]
  const places = parts.map((_part, at) => parts.slice(0, at).join('').length)
  const table = places.slice(1).map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  const end = `xref\n0 ${parts.length}\n0000000000 65535 f \n${table.join('')}trailer<</Size ${parts.length}/Root 1 0 R>>`
  return Buffer.from(`${parts.join('')}${end}\nstartxref\n${parts.join('').length}\n%%EOF\n`)
}
