/** Every kind of naming, links to itself, tables side by side, and one field of what a cell may mean. */
export const VOYAGES = {
  'voyage.yaml': `
doctype: Voyage
module: setup
tier: free
naming: "VOY-{####}"
title: title
submittable: true
fields:
  title: {type: data, required: true, unique: true, filterable: true}
  code: {type: data, createOnly: true}
  captain: {type: link, options: Captain, filterable: true}
  tonnage: {type: float, scale: 3, max: 1000}
  price: {type: currency}
  sails_on: {type: date}
  mood: {type: select, options: [Calm, Rough, rough water]}
  is_fast: {type: check, default: true}
  notes: {type: long_text}
  extra: {type: json}
  legs: {type: table, options: Voyage Leg}
  crew: {type: table, options: Voyage Hand}
  leg_count: {type: int, formula: "legs.size()"}
`,
  'voyage-leg.yaml': `
doctype: Voyage Leg
module: setup
tier: free
child: true
fields:
  port: {type: data, required: true}
  days: {type: int, min: 0}
  pilot: {type: link, options: Captain}
`,
  'voyage-hand.yaml': `
doctype: Voyage Hand
module: setup
tier: free
child: true
fields:
  hand: {type: data}
  wage: {type: currency}
`,
  'captain.yaml': `
doctype: Captain
module: setup
tier: free
naming: prompt
title: full_name
fields:
  full_name: {type: data, filterable: true}
  mentor: {type: link, options: Captain}
  mail: {type: email}
`,
}
