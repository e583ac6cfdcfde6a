/**
 * Somebody else changed the file between our read and the save based on it: nothing was
 * saved, and the change must be made again on the current contents.
 */
export class ChangedOutside extends Error {
  override readonly name = 'ChangedOutside'
}
