/** Something that the operator can mend, said in one line: commands print it without a stack. */
export class Complaint extends Error {}
