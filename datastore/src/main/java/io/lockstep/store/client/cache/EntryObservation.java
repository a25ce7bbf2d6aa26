package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.Slot.EntrySlot;
import io.lockstep.store.codec.ByteWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge about one entry that a reply brings.
 *
 * @param content the reply that a read would get; null if that is unknown
 * @param version the index as of which this holds, 0 if unknown
 * @param wrote whether the operation changed the entry or may have
 * @param doubt whether all earlier knowledge about the entry is in doubt
 */
record EntryObservation(@Nullable Reply content, long version, boolean wrote, boolean doubt) {
  private static final EntryObservation LOST = new EntryObservation(null, 0, true, true);
  private static final EntryObservation STALE = new EntryObservation(null, 0, false, true);

  /** The entries that a command names, each with whether the command may write it. */
  static Map<EntrySlot, Boolean> namedBy(Command command) {
    Map<EntrySlot, Boolean> named = new LinkedHashMap<>();
    List<Command> commands =
        command instanceof Command.Batch batch ? batch.commands() : List.of(command);
    for (Command one : commands) {
      EntrySlot place = placeOf(one);
      if (place != null) {
        named.merge(place, !one.isRead(), Boolean::logicalOr);
      }
    }
    return named;
  }

  /** The knowledge from the reply to a read; null if there is none. */
  static @Nullable EntryObservation ofRead(Command query, Reply reply) {
    return reply instanceof Reply.Resolved || reply instanceof Reply.Returned
        ? new EntryObservation(reply, 0, false, false)
        : single(query, reply);
  }

  private static @Nullable EntrySlot placeOf(Command command) {
    if (command instanceof Command.Get c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.GetColumns c) {
      return c.columns().isEmpty() ? new EntrySlot(c.table(), c.key()) : null;
    } else if (command instanceof Command.Put c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.PutIfAbsent c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.Replace c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.Remove c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.RemoveVersion c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.Increment c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.PutColumns c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.ReplaceColumns c) {
      return new EntrySlot(c.table(), c.key());
    } else if (command instanceof Command.RemoveColumns c) {
      return new EntrySlot(c.table(), c.key());
    }
    return null;
  }

  /** The knowledge from the reply to {@code command} about the entries that it names. */
  static Map<EntrySlot, EntryObservation> of(Command command, Reply reply) {
    Map<EntrySlot, EntryObservation> observations = new LinkedHashMap<>();
    if (reply instanceof Reply.Unknown) {
      namedBy(command)
          .forEach(
              (place, wrote) -> {
                if (wrote) {
                  observations.put(place, LOST);
                }
              });
    } else if (command instanceof Command.Batch batch) {
      if (reply instanceof Reply.BatchRefused) {
        batch
            .guards()
            .forEach(guard -> observations.put(new EntrySlot(guard.table(), guard.key()), STALE));
        namedBy(batch).keySet().forEach(place -> observations.put(place, STALE));
      } else if (reply instanceof Reply.Batched batched) {
        batched(batch, batched, observations);
      }
    } else {
      EntrySlot place = placeOf(command);
      EntryObservation observed = single(command, reply);
      if (place != null && observed != null) {
        observations.put(place, observed);
      }
    }
    return observations;
  }

  /**
   * Each command saw the effects of those before it, so the last one brings the newest knowledge.
   */
  private static void batched(
      Command.Batch batch, Reply.Batched batched, Map<EntrySlot, EntryObservation> observations) {
    for (int i = 0; i < Math.min(batch.commands().size(), batched.replies().size()); i++) {
      Command command = batch.commands().get(i);
      EntrySlot place = placeOf(command);
      EntryObservation observed = single(command, batched.replies().get(i));
      if (place == null || observed == null) {
        continue;
      }
      EntryObservation earlier = observations.get(place);
      boolean wrote = observed.wrote || (earlier != null && earlier.wrote);
      long version = observed.version > 0 ? observed.version : batched.version();
      observations.put(place, new EntryObservation(observed.content, version, wrote, false));
    }
  }

  /** The knowledge from one command's reply about its entry; null if there is none. */
  private static @Nullable EntryObservation single(Command command, Reply reply) {
    if (reply instanceof Reply.Found found) {
      return new EntryObservation(found, found.version(), false, false);
    } else if (reply instanceof Reply.Columns columns) {
      return new EntryObservation(columns, columns.version(), false, false);
    } else if (reply instanceof Reply.Counter counter) {
      ByteWriter value = new ByteWriter(Long.BYTES).int64(counter.value());
      Reply found = new Reply.Found(value.toBytes(), counter.version());
      return new EntryObservation(found, counter.version(), true, false);
    } else if (reply instanceof Reply.Conflict conflict) {
      // For a row the conflict holds the encoded form, which is no answer to a read.
      boolean value = command instanceof Command.Replace || command instanceof Command.PutIfAbsent;
      Reply found = value ? new Reply.Found(conflict.value(), conflict.version()) : null;
      return new EntryObservation(found, conflict.version(), false, false);
    } else if (reply instanceof Reply.Absent absent) {
      // The row may exist without any of the columns that were to be removed.
      boolean sure = !(command instanceof Command.RemoveColumns);
      return sure ? new EntryObservation(absent, 0, false, false) : null;
    } else if (reply instanceof Reply.Applied applied) {
      return new EntryObservation(contentAfter(command, applied), applied.version(), true, false);
    }
    return null;
  }

  private static @Nullable Reply contentAfter(Command command, Reply.Applied applied) {
    if (command instanceof Command.Put c) {
      return new Reply.Found(c.value(), applied.version());
    } else if (command instanceof Command.PutIfAbsent c) {
      return new Reply.Found(c.value(), applied.version());
    } else if (command instanceof Command.Replace c) {
      return new Reply.Found(c.value(), applied.version());
    } else if (command instanceof Command.Remove || command instanceof Command.RemoveVersion) {
      return new Reply.Absent();
    }
    return null;
  }
}
