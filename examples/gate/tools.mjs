// The tools of this page: what the model is told of them, and what the page checks arguments against.

const object = (properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

export const tools = {
  export_report: {
    description: 'Exports the report of a month.',
    parameters: object({ month: { type: 'string', pattern: '^\\d{4}-\\d{2}$' }, format: { enum: ['pdf', 'csv'] } }),
  },
  delete_folder: {
    description: 'Deletes a folder with everything in it.',
    parameters: object({ path: { type: 'string' }, files: { type: 'integer', minimum: 0 } }),
  },
  book_room: {
    description: 'Books a meeting room for an hour.',
    parameters: object({
      room: { type: 'string' },
      people: { type: 'integer', minimum: 1 },
      start: { type: 'string', pattern: '^\\d{2}:\\d{2}$' },
    }),
  },
  move_flight: {
    description: 'Moves a flight to another day.',
    // No row is both.
    parameters: object({ day: { type: 'string' }, row: { type: 'integer', minimum: 40, maximum: 30 } }),
  },
  send_payment: {
    description: 'Sends money.',
    parameters: object({
      to: { type: 'string' },
      amount: { type: 'number', exclusiveMinimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    }),
  },
  save_minutes: {
    description: 'Saves the minutes of a meeting.',
    parameters: object({ title: { type: 'string' }, text: { type: 'string' } }),
  },
}
