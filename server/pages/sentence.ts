/** A message of an error, which begins small and ends without a full stop, as people read it. */
export function sentence(message: string): string {
  const capital = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}
