package io.lockstep.store.codec;

/** Reports malformed bytes: the offset, and what was expected there. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String expected;

  /**
   * @param offset in the input, in bytes from its start
   * @param expected the expected content, and the one that was found
   */
  public CodecException(long offset, String expected) {
    super("at byte " + offset + ": expected " + expected);
    this.offset = offset;
    this.expected = expected;
  }

  /** The offset in the input, in bytes from its start. */
  public long offset() {
    return offset;
  }

  /** The same for a longer input, in which this one begins at {@code start}. */
  public CodecException behind(long start) {
    return new CodecException(start + offset, expected);
  }
}
