package io.lockstep.store.codec;

/** Bytes that are not what they should be. Names the offset and what was expected there. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String expected;

  /**
   * @param offset where in the input, in bytes from its start
   * @param expected what should have been there and what was found instead
   */
  public CodecException(long offset, String expected) {
    super("at byte " + offset + ": expected " + expected);
    this.offset = offset;
    this.expected = expected;
  }

  /** Where in the input, in bytes from its start. */
  public long offset() {
    return offset;
  }

  /** The same where the input was part of a longer one, from {@code start} on. */
  public CodecException behind(long start) {
    return new CodecException(start + offset, expected);
  }
}
