package io.lockstep.history.check;

import org.jspecify.annotations.Nullable;

/**
 * One operation as its client saw it. Counters' values are decimal numbers. Immutable.
 *
 * @param client who sent it; one client's operations come one after the other
 * @param value what was to be written, an increment's delta; null for get and remove
 * @param expectedVersion of a replace or remove; null where a remove has none, and for all others
 * @param startNanos just before it was sent, on the run's clock
 * @param endNanos when its answer was there, or when it was given up
 * @param result null where the outcome is {@link Outcome#UNKNOWN} or {@link Outcome#ERROR}
 */
public record Operation(
    String client,
    Kind kind,
    String table,
    String key,
    @Nullable String value,
    @Nullable Long expectedVersion,
    long startNanos,
    long endNanos,
    Outcome outcome,
    @Nullable Result result) {

  /** What was asked for. */
  public enum Kind {
    /** Reads an entry. */
    GET,
    /** Writes whatever was there. */
    PUT,
    /** Writes where there was nothing. */
    PUT_IF_ABSENT,
    /** Writes where the version is the expected one. */
    REPLACE,
    /** Removes, with an expected version or without. */
    REMOVE,
    /** Adds to a number; absent counts as 0. */
    INCREMENT
  }

  /** What is known of it. */
  public enum Outcome {
    /** It took effect, or it read. */
    OK,
    /** Its precondition failed; surely no effect. */
    FAILED,
    /** No answer; it may have taken effect, or may still do so. */
    UNKNOWN,
    /** Surely not applied. */
    ERROR
  }

  /**
   * What the answer said.
   *
   * @param value of the entry, null where there is none
   * @param version of the entry; of a remove its index; 0 where there is no entry
   */
  public record Result(@Nullable String value, long version) {}

  public Operation {
    if (endNanos < startNanos) {
      throw new IllegalArgumentException("ends before it starts");
    }
    boolean answered = outcome == Outcome.OK || outcome == Outcome.FAILED;
    if (answered != (result != null)) {
      throw new IllegalArgumentException(
          "outcome " + outcome + (answered ? " without" : " with") + " a result");
    }
    boolean conditional = kind == Kind.PUT_IF_ABSENT || kind == Kind.REPLACE || kind == Kind.REMOVE;
    if (outcome == Outcome.FAILED && !conditional) {
      throw new IllegalArgumentException(kind + " has no precondition that could fail");
    }
    boolean reads = kind == Kind.GET || kind == Kind.REMOVE;
    if (reads != (value == null)) {
      throw new IllegalArgumentException(kind + (reads ? " with" : " without") + " a value");
    }
    if (kind == Kind.REPLACE && expectedVersion == null) {
      throw new IllegalArgumentException("REPLACE without an expected version");
    }
    if (expectedVersion != null && kind != Kind.REPLACE && kind != Kind.REMOVE) {
      throw new IllegalArgumentException(kind + " with an expected version");
    }
    if (kind == Kind.INCREMENT && !isNumber(value)) {
      throw new IllegalArgumentException("INCREMENT by '" + value + "'");
    }
  }

  /** Whether it can change anything. */
  public boolean writes() {
    return kind != Kind.GET;
  }

  /** Whether its effect and place are known. */
  public boolean answered() {
    return outcome == Outcome.OK || outcome == Outcome.FAILED;
  }

  /** Whether it is known to have changed its key. */
  public boolean applied() {
    return outcome == Outcome.OK && writes();
  }

  /** The same without its answer, as it looked before {@link #endNanos}. */
  Operation unanswered() {
    return new Operation(
        client,
        kind,
        table,
        key,
        value,
        expectedVersion,
        startNanos,
        endNanos,
        Outcome.UNKNOWN,
        null);
  }

  /** Whether a value can be incremented: a decimal number of at most 18 digits. */
  public static boolean isNumber(@Nullable String value) {
    if (value == null || value.isEmpty() || value.length() > 19) {
      return false;
    }
    int first = value.charAt(0) == '-' ? 1 : 0;
    for (int i = first; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return value.length() > first && value.length() - first <= 18;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(String.format("%14d..%14d ", startNanos, endNanos));
    text.append(String.format("client %-6s %s", client, kind));
    if (value != null) {
      text.append(' ').append(value);
    }
    if (expectedVersion != null) {
      text.append(" expecting ").append(expectedVersion);
    }
    text.append(" -> ").append(outcome);
    if (result != null) {
      text.append(' ').append(result.value()).append(" @").append(result.version());
    }
    return text.toString();
  }
}
