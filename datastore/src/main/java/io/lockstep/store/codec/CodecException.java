package io.lockstep.store.codec;

/** Bytes that are not what they should be. Names the offset and what was expected there. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int offset;

  /**
   * @param offset where in the input, in bytes from its start
   * @param expected what should have been there and what was found instead
   */
  public CodecException(int offset, String expected) {
    super("at byte " + offset + ": expected " + expected);
    this.offset = offset;
  }

  /** Where in the input, in bytes from its start. */
  public int offset() {
    return offset;
  }
}
