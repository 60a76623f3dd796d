/**
 * How nodes hear of users who may read less than before.
 *
 * @module
 */

/** On this channel every node hears of them, by their ids. */
export const RIGHTS_CHANNEL = "berth_read_rights";
