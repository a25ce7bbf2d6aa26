package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.Reply.Reason;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.TableSpecCodec;
import org.jspecify.annotations.Nullable;

/**
 * The declared tables and their kinds. Clients read it as a table that maps each name to an encoded
 * spec. The target of a reference must exist before the reference, and no spec ever changes. So
 * every chain of references ends, and none leads to a table that does not exist.
 */
final class Catalogue {
  /** The table that shows the declared tables. */
  static final String TABLE = "sys.tables";

  private Catalogue() {}

  /** Declares a table; the command is within {@link Limits}. */
  static Reply create(Tables tables, Command.CreateTable command, long index) {
    String name = command.table();
    Table known = tables.find(name);
    if (known != null) {
      return known.spec().equals(command.spec())
          ? new Reply.Applied(entry(tables, name).version())
          : wrongKind(
              "table \""
                  + name
                  + "\" is declared as "
                  + text(known.spec())
                  + " already, not as "
                  + text(command.spec()));
    }
    String target = command.spec().target();
    String unsuitable = target == null ? null : unsuitable(tables, name, target);
    if (unsuitable != null) {
      return wrongKind(unsuitable);
    }
    if (tables.all().size() >= Limits.TABLES) {
      return Refusals.outOfBounds(
          "there are " + Limits.TABLES + " tables already: table \"" + name + "\" is one too many");
    }
    tables.restore(name, command.spec(), 0).declaredAt(index);
    tables.system(TABLE).write(Bytes.utf8(name), TableSpecCodec.encode(command.spec()), index);
    return new Reply.Applied(index);
  }

  /** Why references of {@code name} cannot lead to {@code target}; null where they can. */
  private static @Nullable String unsuitable(Tables tables, String name, String target) {
    if (target.equals(name)) {
      return "table \"" + name + "\" cannot refer to itself: references must not form a circle";
    }
    if (Limits.isSystem(target)) {
      return "table \"" + name + "\" cannot refer to the store's own table \"" + target + "\"";
    }
    return tables.find(target) == null
        ? "table \""
            + name
            + "\" cannot refer to table \""
            + target
            + "\", which does not exist: declare that one first"
        : null;
  }

  private static Entry entry(Tables tables, String name) {
    Entry entry = tables.system(TABLE).entry(Bytes.utf8(name));
    if (entry == null) {
      throw new IllegalStateException("table " + name + " is not in the catalogue");
    }
    return entry;
  }

  /** Where restored tables contradict the catalogue, as a text; null where they agree. */
  static @Nullable String contradiction(Tables tables) {
    Table catalogue = tables.system(TABLE);
    int declared = 0;
    for (Table table : tables.all()) {
      if (Limits.isSystem(table.name())) {
        continue;
      }
      declared++;
      Entry entry = catalogue.entry(Bytes.utf8(table.name()));
      String target = table.spec().target();
      if (entry == null || !entry.value().equals(TableSpecCodec.encode(table.spec()))) {
        return "table \"" + table.name() + "\" as " + text(table.spec());
      }
      if (target != null && !isOlder(catalogue, target, entry)) {
        return "table \"" + table.name() + "\" older than its target \"" + target + "\"";
      }
    }
    return declared == catalogue.size() ? null : declared + " tables";
  }

  /** A table is declared after its target, so references form no circle. */
  private static boolean isOlder(Table catalogue, String target, Entry than) {
    Entry entry = catalogue.entry(Bytes.utf8(target));
    return entry != null && entry.version() < than.version();
  }

  private static String text(TableSpec spec) {
    return spec.target() == null ? spec.kind().name() : spec.kind() + " to " + spec.target();
  }

  private static Reply wrongKind(String message) {
    return new Reply.Rejected(Reason.WRONG_KIND, message);
  }
}
