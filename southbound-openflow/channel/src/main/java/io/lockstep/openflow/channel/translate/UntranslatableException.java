package io.lockstep.openflow.channel.translate;

/** Something that one side can say and the other cannot; the message names it. */
public final class UntranslatableException extends Exception {
  private static final long serialVersionUID = 1;

  UntranslatableException(String what) {
    super(what);
  }
}
