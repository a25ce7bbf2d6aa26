package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.ReadResult.NotRead;
import io.lockstep.store.typed.ReadResult.Read;
import io.lockstep.store.typed.WriteResult.Conflict;
import io.lockstep.store.typed.WriteResult.Done;
import io.lockstep.store.typed.WriteResult.NotDone;
import java.util.Optional;
import java.util.function.Function;

/** Turns replies of the store into results. Pure. */
final class Replies {
  private Replies() {}

  /** Of a read of one entry. */
  static <V> ReadResult<Optional<Versioned<V>>> entry(
      Place place, Reply reply, Function<Bytes, V> decode) {
    if (reply instanceof Reply.Found found) {
      return decoded(place, found.value(), decode)
          .map(value -> Optional.of(new Versioned<>(value, found.version())));
    } else if (reply instanceof Reply.Absent) {
      return new Read<>(Optional.empty());
    }
    return new NotRead<>(failure(place, reply));
  }

  /** What a decoder makes of bytes of the store. */
  static <V> ReadResult<V> decoded(Place place, Bytes bytes, Function<Bytes, V> decode) {
    try {
      return new Read<>(decode.apply(bytes));
    } catch (RuntimeException e) {
      // A decoder may throw any exception at bytes that it did not write.
      return new NotRead<>(new Failure(Cause.UNDECODABLE, undecodable(place, bytes, e)));
    }
  }

  private static String undecodable(Place place, Bytes bytes, RuntimeException e) {
    return place
        + ": the codec cannot read the "
        + bytes.length()
        + " bytes there ("
        + e.getMessage()
        + "); read them with Codec.bytes(), or remove or overwrite the entry";
  }

  /** Why a read has no answer. */
  static Failure failure(Object place, Reply reply) {
    if (reply instanceof Reply.Unknown unknown) {
      return new Failure(Cause.NO_ANSWER, place + ": " + unknown.message() + "; read again");
    } else if (reply instanceof Reply.Rejected rejected) {
      return rejected(place, rejected);
    }
    throw unfit(place, reply);
  }

  private static Failure rejected(Object place, Reply.Rejected rejected) {
    String said = rejected.message();
    Cause cause =
        switch (rejected.reason()) {
          case OUT_OF_BOUNDS -> Cause.OUT_OF_BOUNDS;
          case NOT_SENT, SESSION_ENDED -> Cause.NOT_SENT;
          case COMPONENT_REFUSED -> Cause.COMPONENT_REFUSED;
          case UNKNOWN_TABLE, WRONG_KIND, NO_ROOM, UNKNOWN_COMPONENT, REPLIES_TOO_LONG ->
              Cause.REFUSED;
        };
    return new Failure(cause, place + ": " + said + remedy(rejected.reason()), said);
  }

  private static String remedy(Reply.Reason reason) {
    return switch (reason) {
      case NOT_SENT -> "; try again later";
      case SESSION_ENDED -> "; decide anew and send it again";
      case UNKNOWN_TABLE, WRONG_KIND -> "; name the table where the store is opened";
      case NO_ROOM -> "; remove entries, or raise store.stateMegabytes";
      case UNKNOWN_COMPONENT ->
          " in the present version of the cluster: ./lockstep upgrade status shows whether a newer"
              + " one waits to be activated";
      case OUT_OF_BOUNDS, COMPONENT_REFUSED, REPLIES_TOO_LONG -> "";
    };
  }

  /**
   * Of a call of a micro component. It took effect where its result cannot be read, so it did not
   * fail, and what it came to is not known.
   */
  static <R> WriteOutcome<R> called(Component<?, R> component, Reply reply) {
    if (reply instanceof Reply.Returned returned) {
      return returned(component, returned)
          .fold(
              value -> new WriteOutcome.Known<>(new Done<>(value)),
              failure -> new WriteOutcome.Unknown<>(failure.message()));
    } else if (reply instanceof Reply.Unknown unknown) {
      return new WriteOutcome.Unknown<>(component + ": " + unknown.message());
    }
    return new WriteOutcome.Known<>(new NotDone<>(failure(component, reply)));
  }

  /** Of a query of a micro component. */
  static <R> ReadResult<R> queried(Component<?, R> component, Reply reply) {
    return reply instanceof Reply.Returned returned
        ? returned(component, returned)
        : new NotRead<>(failure(component, reply));
  }

  private static <R> ReadResult<R> returned(Component<?, R> component, Reply.Returned returned) {
    try {
      return new Read<>(component.result().decode(returned.result()));
    } catch (RuntimeException e) {
      // A decoder may throw any exception at bytes that it did not write.
      return new NotRead<>(
          new Failure(
              Cause.UNDECODABLE,
              component
                  + ": it was carried out, but the codec cannot read the "
                  + returned.result().length()
                  + " bytes that it returned ("
                  + e.getMessage()
                  + "); declare the component as the replicas have it"));
    }
  }

  /**
   * Of a write of one entry.
   *
   * @param done what a reply that says so gives; the others never reach it
   */
  static <T> WriteOutcome<T> write(Place place, Reply reply, Function<Reply, T> done) {
    if (reply instanceof Reply.Unknown unknown) {
      return new WriteOutcome.Unknown<>(place + ": " + unknown.message());
    }
    return new WriteOutcome.Known<>(known(place, reply, done));
  }

  private static <T> WriteResult<T> known(Place place, Reply reply, Function<Reply, T> done) {
    if (reply instanceof Reply.Rejected rejected) {
      return new NotDone<>(rejected(place, rejected));
    }
    return isConflict(reply) ? conflict(place, reply) : new Done<>(done.apply(reply));
  }

  private static boolean isConflict(Reply reply) {
    return reply instanceof Reply.Conflict || reply instanceof Reply.Absent;
  }

  private static <T> WriteResult<T> conflict(Place place, Reply reply) {
    Optional<Entry> present =
        reply instanceof Reply.Conflict other
            ? Optional.of(new Entry(place.key(), other.value(), other.version()))
            : Optional.empty();
    return new Conflict<>(place.table(), place.key(), present);
  }

  /** Of a remove: whether there was something. */
  static WriteOutcome<Boolean> removed(Place place, Reply reply) {
    return reply instanceof Reply.Absent
        ? new WriteOutcome.Known<>(new Done<>(false))
        : write(place, reply, applied -> version(applied) != 0);
  }

  /** Of a guard or a part of a batch that did not hold. */
  static WriteResult<Long> refusedPart(Place place, Reply reply) {
    return known(
        place,
        reply,
        other -> {
          throw unfit(place, other);
        });
  }

  /** The version that a write gave. */
  static long version(Reply reply) {
    if (reply instanceof Reply.Applied applied) {
      return applied.version();
    }
    throw unfit("a write", reply);
  }

  static IllegalStateException unfit(Object place, Reply reply) {
    return new IllegalStateException(
        place + ": a reply that does not fit: " + reply.getClass().getSimpleName());
  }
}
