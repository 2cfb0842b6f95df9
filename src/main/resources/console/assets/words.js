// SPDX-License-Identifier: Apache-2.0
// What the product's terms mean, one sentence each. docs/durability.md has the whole story.

export const POLICIES = {
  replicated: {
    title: 'replicated',
    text: 'Success means the operating system has the bytes: a crash of the process takes nothing, a power cut may take about the last second.',
    short: 'survives a crash of the process',
    cluster: 'Success means an ack quorum of bookies has synced it: more than this level promises.',
  },
  persisted: {
    title: 'persisted',
    text: 'Success means data and file names are on stable storage: a power cut takes nothing either; each write waits for a sync.',
    short: 'survives a power cut',
    cluster: 'Success means an ack quorum of bookies has synced it, and only bookies known to sync are used.',
  },
};

export const OFFSET_POLICIES = {
  replicated: {title: 'replicated', text: 'A stored offset survives a crash of the process; a power cut may set it back a little, and messages are read twice.'},
  persisted: {title: 'persisted', text: 'A stored offset survives a power cut as well; each store waits for a sync.'},
};

/** Sentences for the create form, beside those that the server gives. */
export const TOPIC_OPTIONS = {
  message_expiry: {label: 'Message expiry', placeholder: 'never', hint: 'Age after which the oldest sealed segments are deleted: "7 days", "12 hours", or empty for never.'},
  max_topic_size: {label: 'Maximum size', placeholder: 'unlimited', hint: 'The oldest sealed segments are deleted above it: "10 GiB", or empty for unlimited.'},
  segment_size: {label: 'Segment size'},
  messages_required_to_save: {label: 'Sync after messages'},
  size_of_messages_required_to_save: {label: 'Sync after bytes'},
  preallocate_segments: {label: 'Reserve disk space ahead'},
  compression_algorithm: {label: 'Compression'},
};

export const STREAM_OPTIONS = {
  ensemble_size: {label: 'Ensemble (E)', hint: 'Bookies that share the writing of a ledger; a new ledger needs all of them.'},
  write_quorum: {label: 'Write quorum (Qw)', hint: 'Bookies that each entry is sent to: the copies that are intended.'},
  ack_quorum: {label: 'Ack quorum (Qa)', hint: 'Bookies that must have synced an entry before success: the copies that are proven.'},
  guarantee_write_quorum: {label: 'Guarantee Qw', hint: 'Entries with fewer than Qw copies are completed in the background.'},
};

const FAILURES = {
  process_crash: ['The process dies', 'SIGKILL, out of memory, a defect.'],
  power_loss: ['The machine loses power', 'Or crashes as a whole.'],
  device_loss: ['The disk is lost', 'One node keeps one copy.'],
};

/** A failure's name and what it is. */
export function failure(code) {
  if (FAILURES[code]) {
    return FAILURES[code];
  }
  const bookies = /^loss_of_(.+)_bookie(s?)$/.exec(code);
  return bookies ? [`${bookies[1].replaceAll('_', ' ')} bookie${bookies[2]} lost`, 'Machines or disks of the cluster.'] : [spaced(code), ''];
}

export const VERDICTS = {
  kept: {text: 'kept', tone: 'good'},
  may_be_lost: {text: 'may be lost', tone: 'warn'},
  lost: {text: 'lost', tone: 'bad'},
};

export const STORED_IN = {
  page_cache: 'The operating system has it. A crash of the process cannot take it; a power cut could, until it is synced.',
  stable_storage: 'It is on stable storage, with the names of its files. A power cut cannot take it.',
  ack_quorum: 'An ack quorum of bookies has synced it. It survives the loss of all of them but one.',
};

export const STATES = {
  open: {text: 'open', tone: 'good'},
  fenced: {text: 'fenced', tone: 'bad', why: 'A sync failed: no writes until a restart has verified it.'},
  damaged: {text: 'damaged', tone: 'bad', why: 'Recovery refused it: readable up to the damage, no writes.'},
  read_only: {text: 'read only', tone: 'warn', why: 'Reads only, until there is room or somebody acts.'},
  closed: {text: 'closed', tone: 'plain', why: 'Not open here.'},
};

export const GAP_REASONS = {
  retention: 'expired or beyond the maximum size',
  deletion: 'deleted on request',
  recovery: 'cut by a recovery',
  damage: 'damaged',
};

export const DISK = {
  plausible: {text: 'plausible', tone: 'good'},
  doubtful: {text: 'doubtful', tone: 'warn'},
  volatile: {text: 'volatile', tone: 'bad'},
};

/** torn_tail as "torn tail". */
export function spaced(code) {
  return String(code).replaceAll('_', ' ');
}
