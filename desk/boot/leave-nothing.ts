/** What a till keeps to sell without the network (`desk/till/kept.ts`); sales that are not booked are none of it. */
const KEPT = ['desk-till', 'desk-till-cart']

/** Takes away what this browser keeps for its person, as they sign out; the service worker goes with the sign-out itself. */
export function leaveNothing(): void {
  for (const name of KEPT) localStorage.removeItem(name)
}
