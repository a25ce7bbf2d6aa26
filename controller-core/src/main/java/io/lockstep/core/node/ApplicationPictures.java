package io.lockstep.core.node;

import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.RankedApplication;
import io.lockstep.core.app.TablePicture;
import io.lockstep.core.packet.ApplicationFailures;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.core.state.TableView;
import io.lockstep.core.topology.TablePictures;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.logging.BoundedLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pictures of applications' tables, each again once for all changes that came together.
 * Owned by the control loop.
 */
final class ApplicationPictures {
  private static final BoundedLog log = BoundedLog.of(ApplicationPictures.class);

  /** Hears of pictures that changed, after they were published. */
  interface Listener {
    void pictureChanged(
        PacketApplication application, TablePicture<?> picture, Object before, Object now);
  }

  private record Kept(PacketApplication application, TablePicture<?> picture) {}

  private final NodeState state;
  private final ApplicationFailures failures;
  private final Consumer<TablePictures> publish;
  private final Listener listener;
  private final Map<String, TableView<Bytes, Bytes>> tables = new HashMap<>();

  /** The pictures, and whether each is to be made again. */
  private final Map<Kept, Boolean> stale = new LinkedHashMap<>();

  private TablePictures pictures = TablePictures.NONE;
  private boolean scheduled;

  /** Declares the tables; before the node starts. Publishes the pictures of empty tables. */
  ApplicationPictures(
      NodeState state,
      List<RankedApplication> applications,
      ApplicationFailures failures,
      Consumer<TablePictures> publish,
      Listener listener) {
    this.state = state;
    this.failures = failures;
    this.publish = publish;
    this.listener = listener;
    for (RankedApplication application : applications) {
      for (TablePicture<?> picture : application.logic().pictures()) {
        Kept kept = new Kept(application.logic(), picture);
        stale.put(kept, false);
        picture.tables().forEach(table -> follow(table, kept));
        Object empty = make(kept);
        if (empty != null) {
          pictures = pictures.with(picture, empty);
        }
      }
    }
    publish.accept(pictures);
  }

  private void follow(String table, Kept kept) {
    tables
        .computeIfAbsent(table, name -> state.declare(name, new RawEntries()))
        .addListener((key, old, now) -> changed(kept));
  }

  private void changed(Kept kept) {
    stale.put(kept, true);
    if (!scheduled) {
      scheduled = true;
      state.loop().execute(this::makeAgain);
    }
  }

  private void makeAgain() {
    scheduled = false;
    List<Runnable> news = new ArrayList<>();
    stale.replaceAll(
        (kept, isStale) -> {
          Object now = isStale ? make(kept) : null;
          if (now != null) {
            Object known = pictures.known(kept.picture());
            Object before = known == null ? now : known;
            pictures = pictures.with(kept.picture(), now);
            news.add(
                () -> listener.pictureChanged(kept.application(), kept.picture(), before, now));
          }
          return false;
        });
    publish.accept(pictures);
    news.forEach(Runnable::run);
  }

  /** What the picture is now; null where the application fails. */
  private @Nullable Object make(Kept kept) {
    Map<String, List<Entry>> entries = new HashMap<>();
    for (String table : kept.picture().tables()) {
      TableView<Bytes, Bytes> view = tables.get(table);
      if (view != null) {
        entries.put(table, entries(view));
      }
    }
    String name = kept.application().name();
    try {
      return kept.picture().of(entries);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failures.count(name, "failed on its tables", e);
      log.error(name, "application {} failed on its tables; it goes on with what it had", name, e);
      return null;
    }
  }

  private static List<Entry> entries(TableView<Bytes, Bytes> view) {
    List<Entry> entries = new ArrayList<>(view.size());
    view.entries()
        .forEach((key, held) -> entries.add(new Entry(key, held.value(), held.version())));
    entries.sort(Comparator.comparing(Entry::key));
    return List.copyOf(entries);
  }

  /** Keys and values as they are. */
  private static final class RawEntries implements RecordCodec<Bytes, Bytes> {
    @Override
    public Bytes encodeKey(Bytes key) {
      return key;
    }

    @Override
    public Bytes decodeKey(Bytes bytes) {
      return bytes;
    }

    @Override
    public Bytes encodeValue(Bytes value) {
      return value;
    }

    @Override
    public Bytes decodeValue(Bytes bytes) {
      return bytes;
    }
  }
}
