// What the user can play through: a message, and what to look for. What the model makes of it is in server/model.mjs.

/** By name; `again` is what the user says where a call can be tried once more. */
export const stories = {
  export: {
    title: 'A tool that takes time',
    about: 'Press Stop while it runs: nobody can know at once whether the export was made. Then the truth comes.',
    message: 'Please export the October report.',
  },
  folder: {
    title: 'An approval',
    about: 'Nothing runs before you have answered. Reload the page first, if you like: the question is still there.',
    message: 'Please delete the folder with the old drafts.',
  },
  room: {
    title: 'A correction',
    about: 'The model gets the details wrong and is told so. Only the events show it.',
    message: 'Please book a room for six people at three.',
  },
  flight: {
    title: 'Details that nothing can satisfy',
    about: 'The schema contradicts itself. The model is asked once more, not for ever.',
    message: 'Please move my flight to Friday.',
  },
  bill: {
    title: 'A payment that went out',
    about: 'The link to the bank drops after the payment was made. Press Check to find out.',
    message: 'Please pay the electricity bill.',
  },
  rent: {
    title: 'A payment that did not go out',
    about: 'It looks the same at first. Only once the bank has said so may it be tried again.',
    message: 'Please pay the rent.',
    again: 'The bank never got that payment. Please make it again.',
  },
  minutes: {
    title: 'A reply that is cut short',
    about: 'Half of the minutes is not saved. Trying again asks the model anew.',
    message: 'Please write the minutes of the meeting.',
    again: 'That was too long. Please write the minutes again, in one sentence.',
  },
}
