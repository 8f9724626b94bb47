/** One field of every type, so that each meets what it was not made for. */
export const EVERYTHING = `
doctype: Everything
resource: everythings
module: setup
tier: free
submittable: true
naming: prompt
search: [data, small]
fields:
  data: {type: data, filterable: true, unique: true}
  coded: {type: data, pattern: "^[A-Z]{3}$"}
  small: {type: small_text, length: 600, filterable: true}
  long: {type: long_text}
  int: {type: int, filterable: true}
  float: {type: float, filterable: true}
  money: {type: currency, filterable: true}
  share: {type: percent, filterable: true}
  check: {type: check, filterable: true}
  choice: {type: select, options: [One, Two], filterable: true}
  self: {type: link, options: Everything, filterable: true}
  any_type: {type: select, options: [Everything, Gadget]}
  any: {type: dynamic_link, options: any_type, filterable: true}
  day: {type: date, filterable: true}
  moment: {type: datetime, filterable: true}
  clock: {type: time, filterable: true}
  span: {type: duration, filterable: true}
  json: {type: json}
  file: {type: attach}
  stars: {type: rating, filterable: true}
  color: {type: color}
  phone: {type: phone}
  email: {type: email, filterable: true}
  url: {type: url}
  pin: {type: password}
  later: {type: date, formula: "add_days(day, int)"}
  ratio: {type: float, formula: "float == 0 ? 0 : money / float"}
  rows:
    type: table
    options: Everything Row
    fields:
      text: {type: data, required: true}
      qty: {type: float}
      rate: {type: currency}
      amount: {type: currency, formula: "qty * rate"}
      self: {type: link, options: Everything}
  total: {type: currency, formula: "rows.sum(r, r.amount)", filterable: true}
`
