/* Narrows the list at the side while one types; without it the form finds the same. */
const field = document.querySelector('input[type=search]')
const menu = document.querySelector('.menu')
const sections = [...menu.querySelectorAll('details')]
const open = new Set(sections.filter((section) => section.open))

function narrow() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const section of sections) {
    let found = 0
    for (const item of section.querySelectorAll('li')) {
      const fits = words.every((word) => item.dataset.words.includes(word))
      item.hidden = !fits
      if (fits) found += 1
    }
    section.hidden = found === 0
    section.open = words.length > 0 ? found > 0 : open.has(section)
  }
  menu.open = words.length > 0
}

field.addEventListener('input', narrow)
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return
  event.preventDefault()
  field.focus()
})
