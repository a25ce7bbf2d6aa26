package io.lockstep.store.client.cache;

import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.Slot.Place;
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
record EntryNews(@Nullable Reply content, long version, boolean wrote, boolean doubt) {
  private static final EntryNews LOST = new EntryNews(null, 0, true, true);
  private static final EntryNews STALE = new EntryNews(null, 0, false, true);

  /** The entries that a command names, each with whether the command may write it. */
  static Map<Place, Boolean> namedBy(Command command) {
    Map<Place, Boolean> named = new LinkedHashMap<>();
    List<Command> commands =
        command instanceof Command.Batch batch ? batch.commands() : List.of(command);
    for (Command one : commands) {
      Place place = placeOf(one);
      if (place != null) {
        named.merge(place, !one.isRead(), Boolean::logicalOr);
      }
    }
    return named;
  }

  /** The knowledge from the reply to a read; null if there is none. */
  static @Nullable EntryNews ofRead(Command query, Reply reply) {
    return reply instanceof Reply.Resolved
        ? new EntryNews(reply, 0, false, false)
        : single(query, reply);
  }

  private static @Nullable Place placeOf(Command command) {
    if (command instanceof Command.Get c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.GetColumns c) {
      return c.columns().isEmpty() ? new Place(c.table(), c.key()) : null;
    } else if (command instanceof Command.Put c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.PutIfAbsent c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.Replace c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.Remove c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.RemoveVersion c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.Increment c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.PutColumns c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.ReplaceColumns c) {
      return new Place(c.table(), c.key());
    } else if (command instanceof Command.RemoveColumns c) {
      return new Place(c.table(), c.key());
    }
    return null;
  }

  /** The knowledge from the reply to {@code command} about the entries that it names. */
  static Map<Place, EntryNews> of(Command command, Reply reply) {
    Map<Place, EntryNews> news = new LinkedHashMap<>();
    if (reply instanceof Reply.Unknown) {
      namedBy(command)
          .forEach(
              (place, wrote) -> {
                if (wrote) {
                  news.put(place, LOST);
                }
              });
    } else if (command instanceof Command.Batch batch) {
      if (reply instanceof Reply.BatchRefused) {
        batch.guards().forEach(guard -> news.put(new Place(guard.table(), guard.key()), STALE));
        namedBy(batch).keySet().forEach(place -> news.put(place, STALE));
      } else if (reply instanceof Reply.Batched batched) {
        batched(batch, batched, news);
      }
    } else {
      Place place = placeOf(command);
      EntryNews told = single(command, reply);
      if (place != null && told != null) {
        news.put(place, told);
      }
    }
    return news;
  }

  /**
   * Each command saw the effects of those before it, so the last one brings the newest knowledge.
   */
  private static void batched(
      Command.Batch batch, Reply.Batched batched, Map<Place, EntryNews> news) {
    for (int i = 0; i < Math.min(batch.commands().size(), batched.replies().size()); i++) {
      Command command = batch.commands().get(i);
      Place place = placeOf(command);
      EntryNews told = single(command, batched.replies().get(i));
      if (place == null || told == null) {
        continue;
      }
      EntryNews earlier = news.get(place);
      boolean wrote = told.wrote || (earlier != null && earlier.wrote);
      long version = told.version > 0 ? told.version : batched.version();
      news.put(place, new EntryNews(told.content, version, wrote, false));
    }
  }

  /** The knowledge from one command's reply about its entry; null if there is none. */
  private static @Nullable EntryNews single(Command command, Reply reply) {
    if (reply instanceof Reply.Found found) {
      return new EntryNews(found, found.version(), false, false);
    } else if (reply instanceof Reply.Columns columns) {
      return new EntryNews(columns, columns.version(), false, false);
    } else if (reply instanceof Reply.Counter counter) {
      ByteWriter value = new ByteWriter(Long.BYTES).int64(counter.value());
      Reply found = new Reply.Found(value.toBytes(), counter.version());
      return new EntryNews(found, counter.version(), true, false);
    } else if (reply instanceof Reply.Conflict conflict) {
      // For a row the conflict holds the encoded form, which is no answer to a read.
      boolean value = command instanceof Command.Replace || command instanceof Command.PutIfAbsent;
      Reply found = value ? new Reply.Found(conflict.value(), conflict.version()) : null;
      return new EntryNews(found, conflict.version(), false, false);
    } else if (reply instanceof Reply.Absent absent) {
      // The row may exist without any of the columns that were to be removed.
      boolean sure = !(command instanceof Command.RemoveColumns);
      return sure ? new EntryNews(absent, 0, false, false) : null;
    } else if (reply instanceof Reply.Applied applied) {
      return new EntryNews(contentAfter(command, applied), applied.version(), true, false);
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
