package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Reply;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * What became of a change of the configuration.
 *
 * @param version of the entry: the new one where it was changed, else the present one; 0 where
 *     there is none
 * @param field of the change that is wrong, as operators write it; empty where it is none
 * @param problem what is wrong and what is allowed, for the operator; empty where nothing is
 */
public record ConfigOutcome(Kind kind, long version, String field, String problem) {
  private static final int FORMAT = 1;
  private static final int MOST_TEXT_BYTES = 1_024;

  /** The numbers are part of the format. */
  public enum Kind implements Coded {
    /** The change was made. */
    DONE(0),
    /** There is no entry with this name. */
    NOT_FOUND(1),
    /** There is one already, and the change was to make a new one. */
    EXISTS(2),
    /** The entry has another version than the change expects. */
    OTHER_VERSION(3),
    /** The entry cannot be removed, since another one needs it. */
    IN_USE(4),
    /** A field has a value that does not go together with other entries, or is never allowed. */
    INVALID(5),
    /** There are as many entries as there may be. */
    FULL(6);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    @Override
    public int code() {
      return code;
    }
  }

  static ConfigOutcome done(long version) {
    return new ConfigOutcome(Kind.DONE, version, "", "");
  }

  static ConfigOutcome invalid(FieldException problem) {
    return new ConfigOutcome(Kind.INVALID, 0, problem.field(), problem.problem());
  }

  Bytes bytes() {
    return new ByteWriter(32)
        .int8(FORMAT)
        .int8(kind.code())
        .int64(version)
        .utf8(field)
        .utf8(problem)
        .toBytes();
  }

  /**
   * Reads the reply to a call; null where the store did not return one, so that the change was
   * refused or its outcome is not known.
   *
   * @throws IllegalArgumentException where the bytes are no outcome
   */
  public static @Nullable ConfigOutcome of(Reply reply) {
    if (!(reply instanceof Reply.Returned returned)) {
      return null;
    }
    ByteReader in = new ByteReader(returned.result());
    in.version(FORMAT, "outcome of a change");
    Kind kind = Coded.of(Kind.values(), "outcome", in.uint8());
    ConfigOutcome outcome =
        new ConfigOutcome(kind, in.int64(), in.utf8(MOST_TEXT_BYTES), in.utf8(MOST_TEXT_BYTES));
    in.end();
    return outcome;
  }
}
