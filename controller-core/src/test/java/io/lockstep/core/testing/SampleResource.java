package io.lockstep.core.testing;

import io.lockstep.core.app.NounInput;
import io.lockstep.core.app.Resource;
import io.lockstep.core.app.ResourceChange;
import io.lockstep.core.app.ResourceDescription;
import io.lockstep.core.app.ResourceDescription.Change;
import io.lockstep.core.app.ResourceField;
import io.lockstep.core.app.ResourceItem;
import io.lockstep.core.app.ResourceResult;
import io.lockstep.core.app.ResourceValues;
import io.lockstep.core.app.TableRange;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A resource {@code limits} with one number for each item, in the table {@code apps.app}. */
public final class SampleResource implements Resource {
  /** Where the items are. */
  public static final String TABLE = "apps.app";

  private static final ResourceField RATE = ResourceField.whole("rate", 1, 1_000, "packets");

  @Override
  public ResourceDescription description() {
    return new ResourceDescription(
        "limits",
        "limit",
        "limits of hosts",
        Pattern.compile("[a-z0-9]+"),
        "a name in lower case",
        List.of(RATE),
        EnumSet.allOf(Change.class));
  }

  @Override
  public List<TableRange> reads(@Nullable String id) {
    return List.of(
        id == null ? TableRange.all(TABLE) : TableRange.prefix(TABLE, Bytes.utf8(id + "/")));
  }

  @Override
  public List<ResourceItem> items(NounInput input) {
    return input.tables().get(0).entries().stream()
        .map(
            entry ->
                new ResourceItem(
                    entry.key().toUtf8().replace("/", ""),
                    entry.version(),
                    ResourceValues.builder()
                        .whole(RATE.name(), Long.parseLong(entry.value().toUtf8()))
                        .build(),
                    ResourceValues.NONE))
        .toList();
  }

  @Override
  public Command command(ResourceChange change) {
    Bytes key = Bytes.utf8(change.id() + "/");
    if (change instanceof ResourceChange.Add add) {
      return new Command.PutIfAbsent(TABLE, key, value(add.fields()));
    } else if (change instanceof ResourceChange.Set set) {
      return new Command.Replace(TABLE, key, set.version(), value(set.fields()));
    }
    return new Command.RemoveVersion(TABLE, key, ((ResourceChange.Remove) change).version());
  }

  private static Bytes value(ResourceValues fields) {
    long rate = fields.whole(RATE.name());
    if (rate == 13) {
      throw new IllegalArgumentException("13 brings bad luck");
    }
    return Bytes.utf8(String.valueOf(rate));
  }

  @Override
  public ResourceResult result(ResourceChange change, Reply reply) {
    if (reply instanceof Reply.Applied applied) {
      return new ResourceResult.Done(applied.version());
    } else if (reply instanceof Reply.Conflict conflict) {
      return change instanceof ResourceChange.Add
          ? new ResourceResult.Exists(conflict.version())
          : new ResourceResult.Outdated(conflict.version());
    } else if (reply instanceof Reply.Absent) {
      return new ResourceResult.Missing();
    }
    throw new IllegalArgumentException("no reply to a change: " + reply);
  }
}
