// The tools of this chat: what a provider is told, and what the page and the server check arguments against.

/** How long a tool takes here, in milliseconds. They do nothing else. */
export const RUN_TIME = 1_500

export const tools = {
  create_ticket: {
    description: 'Creates a support ticket.',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        priority: { enum: ['low', 'normal', 'high'] },
        description: { type: 'string', description: 'Everything a colleague needs, in full sentences.' },
        labels: { type: 'array', items: { type: 'string' } },
      },
      required: ['title', 'priority', 'description'],
      additionalProperties: false,
    },
  },
  send_payment: {
    description: 'Sends money.',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string' },
        amount: { type: 'number', exclusiveMinimum: 0 },
        currency: { enum: ['EUR', 'USD'] },
        reference: { type: 'string' },
      },
      required: ['to', 'amount', 'currency'],
      additionalProperties: false,
    },
  },
}
