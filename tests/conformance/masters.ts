type Documents = readonly Readonly<Record<string, unknown>>[]

const item = (item_code: string, more: object = {}) => ({
  item_code,
  item_name: item_code,
  item_group: 'Products',
  stock_uom: 'Nos',
  ...more,
})

/** What cases speak of, in the order it is made; `put` changes what is there. */
export const MASTERS: readonly (readonly [doctype: string, documents: Documents])[] = [
  [
    'Company',
    [
      {
        put: 'Acme Inc',
        send: {
          customers_named_by: 'Name',
          suppliers_named_by: 'Name',
          default_warehouse: 'Stores',
          default_selling_price_list: 'Standard Selling',
          default_buying_price_list: 'Standard Buying',
        },
      },
    ],
  ],
  [
    'Customer',
    [
      { customer_name: 'Blue Bikes', customer_group: 'Commercial' },
      { customer_name: 'Euro Bikes', default_currency: 'EUR' },
    ],
  ],
  [
    'Supplier',
    [
      { supplier_name: 'Parts & Co', supplier_group: 'Local' },
      { supplier_name: 'Euro Parts', default_currency: 'EUR' },
    ],
  ],
  [
    'Item',
    [
      item('BIKE', { is_stock_item: 0, standard_rate: 100 }),
      item('BELL', { is_stock_item: 0, standard_rate: 10 }),
      item('TUBE', {
        is_stock_item: 1,
        valuation_method: 'FIFO',
        uoms: [{ uom: 'Box', conversion_factor: 12 }],
      }),
      item('TYRE', { is_stock_item: 1, valuation_method: 'Moving Average' }),
      item('WHEEL', { is_stock_item: 1, valuation_method: 'Moving Average' }),
    ],
  ],
  [
    'Price List',
    ['Standard Selling', 'Standard Buying'].map((put) => ({ put, send: { currency: 'USD' } })),
  ],
  [
    'Item Price',
    [
      { item_code: 'BELL', price_list: 'Standard Selling', price_list_rate: 12 },
      { item_code: 'TUBE', price_list: 'Standard Buying', price_list_rate: 5 },
    ],
  ],
  [
    'Currency Exchange',
    [
      { date: '2026-01-01', from_currency: 'EUR', to_currency: 'USD', exchange_rate: 1.1 },
      { date: '2026-03-01', from_currency: 'EUR', to_currency: 'USD', exchange_rate: 1.2 },
    ],
  ],
  [
    'Employee',
    [
      {
        first_name: 'Ada',
        employee_name: 'Ada',
        company: 'Acme Inc',
        date_of_joining: '2020-01-01',
      },
    ],
  ],
  ['Lead', [{ lead_name: 'Grace', company_name: 'Grace Ltd' }]],
  ['Project', [{ project_name: 'Shop' }]],
  [
    'Stock Entry',
    [
      {
        stock_entry_type: 'Material Receipt',
        posting_date: '2026-01-02',
        docstatus: 1,
        items: ['TUBE', 'TYRE', 'WHEEL'].map((item_code) => ({
          item_code,
          t_warehouse: 'Stores',
          qty: 1000,
          basic_rate: 5,
        })),
      },
    ],
  ],
]
