package io.lockstep.store.core;

import static java.util.Objects.requireNonNull;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.TableSpec.Kind;
import io.lockstep.store.codec.CodecException;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What each command means, on plain maps: no undo, no encoded rows, no limits but those of kinds. A
 * refusal's message is empty.
 */
final class NaiveStore extends NaiveReads {
  /** The same store, from which this one may go on. */
  NaiveStore copy() {
    NaiveStore copy = new NaiveStore();
    copy.specs.putAll(specs);
    copy.declaredAt.putAll(declaredAt);
    copy.entries = new HashMap<>(entries);
    return copy;
  }

  Reply apply(Command command, long index) {
    if (command instanceof Command.CreateTable c) {
      return create(c, index);
    } else if (command instanceof Command.Batch c) {
      return batch(c, index);
    } else if (command instanceof Command.Call c) {
      return move(c.argument(), index);
    } else if (command instanceof Command.Query c) {
      return look(c.argument());
    } else if (command instanceof Command.GetThrough c) {
      return on(c.table(), spec -> through(c));
    } else if (command instanceof Command.Get c) {
      return on(c.table(), spec -> get(c));
    } else if (command instanceof Command.Scan c) {
      return on(c.table(), spec -> scan(c));
    } else if (command instanceof Command.Put c) {
      return on(c.table(), spec -> put(spec, new Place(c.table(), c.key()), c.value(), index));
    } else if (command instanceof Command.PutIfAbsent c) {
      return on(c.table(), spec -> putIfAbsent(spec, c, index));
    } else if (command instanceof Command.Replace c) {
      return on(c.table(), spec -> replace(spec, c, index));
    } else if (command instanceof Command.Remove c) {
      return on(
          c.table(), spec -> held(c.table(), c.key(), e -> removed(c.table(), c.key(), index)));
    } else if (command instanceof Command.RemoveVersion c) {
      return on(
          c.table(),
          spec ->
              held(
                  c.table(),
                  c.key(),
                  e ->
                      e.version() == c.expectedVersion()
                          ? removed(c.table(), c.key(), index)
                          : conflict(e)));
    } else if (command instanceof Command.Increment c) {
      return on(c.table(), spec -> increment(spec, c, index));
    }
    return columns(command, index);
  }

  private Reply columns(Command command, long index) {
    if (command instanceof Command.GetColumns c) {
      return onRows(c.table(), () -> columns(c));
    } else if (command instanceof Command.PutColumns c) {
      return onRows(c.table(), () -> merge(c.table(), c.key(), c.columns(), index));
    } else if (command instanceof Command.ReplaceColumns c) {
      return onRows(
          c.table(),
          () ->
              held(
                  c.table(),
                  c.key(),
                  e ->
                      e.version() == c.expectedVersion()
                          ? merge(c.table(), c.key(), c.columns(), index)
                          : conflict(e)));
    } else if (command instanceof Command.RemoveColumns c) {
      return onRows(
          c.table(), () -> held(c.table(), c.key(), e -> removeColumns(c, e.value(), index)));
    }
    throw new IllegalArgumentException(command.toString());
  }

  private Reply on(String table, Function<TableSpec, Reply> meaning) {
    TableSpec spec = specs.get(table);
    return spec == null ? rejected(Reason.UNKNOWN_TABLE) : meaning.apply(spec);
  }

  private Reply onRows(String table, Supplier<Reply> meaning) {
    return on(
        table, spec -> spec.kind() == Kind.COLUMNS ? meaning.get() : rejected(Reason.WRONG_KIND));
  }

  private Reply create(Command.CreateTable c, long index) {
    TableSpec known = specs.get(c.table());
    if (known != null) {
      return known.equals(c.spec())
          ? new Reply.Applied(requireNonNull(declaredAt.get(c.table())))
          : rejected(Reason.WRONG_KIND);
    }
    if (c.spec().target() != null && !specs.containsKey(c.spec().target())) {
      return rejected(Reason.WRONG_KIND);
    }
    specs.put(c.table(), c.spec());
    declaredAt.put(c.table(), index);
    return new Reply.Applied(index);
  }

  private Reply batch(Command.Batch batch, long index) {
    Map<Place, Entry> before = new HashMap<>(entries);
    List<Reply> replies = new ArrayList<>();
    int position = 0;
    for (Command.Guard guard : batch.guards()) {
      Reply refusal =
          on(
              guard.table(),
              spec -> {
                Entry entry = entries.get(new Place(guard.table(), guard.key()));
                long version = entry == null ? 0 : entry.version();
                return version == guard.version()
                    ? new Reply.Applied(0)
                    : entry == null ? ABSENT : conflict(entry);
              });
      if (!(refusal instanceof Reply.Applied)) {
        return new Reply.BatchRefused(position, refusal);
      }
      position++;
    }
    for (Command command : batch.commands()) {
      Reply reply = apply(command, index);
      boolean conditional =
          command instanceof Command.Replace
              || command instanceof Command.RemoveVersion
              || command instanceof Command.ReplaceColumns;
      if (reply instanceof Reply.Rejected
          || reply instanceof Reply.Conflict
          || (conditional && reply instanceof Reply.Absent)) {
        entries = before;
        return new Reply.BatchRefused(position, reply);
      }
      replies.add(reply);
      position++;
    }
    return new Reply.Batched(replies, index);
  }

  private Reply move(Bytes key, long index) {
    Entry entry = entries.remove(new Place("a", key));
    if (entry == null) {
      return rejected(Reason.COMPONENT_REFUSED);
    }
    entries.put(new Place("b", key), new Entry(key, entry.value(), index));
    return new Reply.Returned(entry.value());
  }

  private Reply put(TableSpec spec, Place place, Bytes value, long index) {
    if (!fits(spec.kind(), value)) {
      return rejected(Reason.OUT_OF_BOUNDS);
    }
    entries.put(place, new Entry(place.key(), value, index));
    return new Reply.Applied(index);
  }

  private static boolean fits(Kind kind, Bytes value) {
    try {
      return switch (kind) {
        case VALUES -> true;
        case REFERENCE -> value.length() <= 1024;
        case REFERENCES -> References.encode(References.decode(value)).equals(value);
        case COLUMNS -> {
          Row row = RowCodec.decode(value);
          yield !row.columns().isEmpty() && RowCodec.encode(row).equals(value);
        }
      };
    } catch (CodecException malformed) {
      return false;
    }
  }

  private Reply putIfAbsent(TableSpec spec, Command.PutIfAbsent c, long index) {
    Place place = new Place(c.table(), c.key());
    Entry entry = entries.get(place);
    return entry == null || !fits(spec.kind(), c.value())
        ? put(spec, place, c.value(), index)
        : conflict(entry);
  }

  private Reply replace(TableSpec spec, Command.Replace c, long index) {
    Place place = new Place(c.table(), c.key());
    if (!fits(spec.kind(), c.value())) {
      return rejected(Reason.OUT_OF_BOUNDS);
    }
    return held(
        c.table(),
        c.key(),
        e -> e.version() == c.expectedVersion() ? put(spec, place, c.value(), index) : conflict(e));
  }

  private Reply removed(String table, Bytes key, long index) {
    entries.remove(new Place(table, key));
    return new Reply.Applied(index);
  }

  private Reply increment(TableSpec spec, Command.Increment c, long index) {
    Place place = new Place(c.table(), c.key());
    Entry entry = entries.get(place);
    if (spec.kind() != Kind.VALUES) {
      return rejected(Reason.WRONG_KIND);
    }
    if (entry != null && entry.value().length() != 8) {
      return rejected(Reason.OUT_OF_BOUNDS);
    }
    long before = entry == null ? 0 : ByteBuffer.wrap(entry.value().toArray()).getLong();
    long sum = before + c.delta();
    entries.put(place, new Entry(c.key(), Counters.bytesOf(sum), index));
    return new Reply.Counter(sum, index);
  }

  private Reply merge(String table, Bytes key, Row patch, long index) {
    Place place = new Place(table, key);
    Entry entry = entries.get(place);
    Map<String, Bytes> columns = new HashMap<>();
    if (entry != null) {
      columns.putAll(RowCodec.decode(entry.value()).columns());
    }
    columns.putAll(patch.columns());
    entries.put(place, new Entry(key, RowCodec.encode(Row.of(columns)), index));
    return new Reply.Applied(index);
  }

  private Reply removeColumns(Command.RemoveColumns c, Bytes row, long index) {
    Map<String, Bytes> columns = new HashMap<>(RowCodec.decode(row).columns());
    int before = columns.size();
    if (c.columns().isEmpty()) {
      columns.clear();
    }
    columns.keySet().removeAll(c.columns());
    if (columns.size() == before) {
      return ABSENT;
    }
    if (columns.isEmpty()) {
      return removed(c.table(), c.key(), index);
    }
    Place place = new Place(c.table(), c.key());
    entries.put(place, new Entry(c.key(), RowCodec.encode(Row.of(columns)), index));
    return new Reply.Applied(index);
  }

  private static Reply conflict(Entry entry) {
    return new Reply.Conflict(entry.value(), entry.version());
  }

  /** The same without the messages of refusals. */
  static Reply withoutMessage(Reply reply) {
    if (reply instanceof Reply.Rejected rejected) {
      return rejected(rejected.reason());
    } else if (reply instanceof Reply.BatchRefused refused) {
      return new Reply.BatchRefused(refused.position(), withoutMessage(refused.reply()));
    }
    return reply;
  }
}
