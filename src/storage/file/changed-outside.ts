/**
 * Somebody else changed the data between the look at it and the save that was made of what was seen: nothing was
 * saved, and the change has to be made again on what is there now.
 */
export class ChangedOutside extends Error {
  override readonly name = 'ChangedOutside'
}
