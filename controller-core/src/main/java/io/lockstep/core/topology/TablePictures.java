package io.lockstep.core.topology;

import io.lockstep.core.app.TablePicture;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What applications made of their tables. Immutable. */
public final class TablePictures {
  /** Of applications that make none. */
  public static final TablePictures NONE = new TablePictures(Map.of());

  private final Map<TablePicture<?>, Object> made;

  private TablePictures(Map<TablePicture<?>, Object> made) {
    this.made = Map.copyOf(made);
  }

  /** The same with what one of them is now. */
  public TablePictures with(TablePicture<?> picture, Object now) {
    Map<TablePicture<?>, Object> next = new HashMap<>(made);
    next.put(picture, now);
    return new TablePictures(next);
  }

  /** What it is now; null where it was never made. */
  public @Nullable Object known(TablePicture<?> picture) {
    return made.get(picture);
  }

  /** What it is now; fails where it was never made. */
  @SuppressWarnings("unchecked") // each is put with the picture that made it
  public <T> T of(TablePicture<T> picture) {
    Object now = made.get(picture);
    if (now == null) {
      throw new IllegalArgumentException(
          "the picture of "
              + List.copyOf(picture.tables())
              + " is not among those that its application names");
    }
    return (T) now;
  }
}
