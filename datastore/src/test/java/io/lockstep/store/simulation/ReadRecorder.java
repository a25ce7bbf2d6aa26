package io.lockstep.store.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What reads of single entries told. */
final class ReadRecorder {
  private record Read(Bytes key, long after, @Nullable Bytes value, long version) {}

  private final List<Read> reads = new ArrayList<>();

  /**
   * A read was answered.
   *
   * @param after the highest version that anybody had been told when it was submitted
   */
  void told(Bytes key, long after, Reply reply) {
    if (reply instanceof Reply.Found found) {
      reads.add(new Read(key, after, found.value(), found.version()));
    } else if (reply instanceof Reply.Absent) {
      reads.add(new Read(key, after, null, 0));
    }
  }

  int count() {
    return reads.size();
  }

  /** Compares with all changes that there were: what was told was so, and not only before. */
  void check(List<Change> whole) {
    for (Read read : reads) {
      boolean wasSo = false;
      Bytes now = null;
      long version = 0;
      for (Change change : whole) {
        if (change.key().equals(read.key)) {
          wasSo |= change.index() > read.after && isWhatWasRead(read, now, version);
          now = change.value();
          version = change.index();
        }
      }
      wasSo |= isWhatWasRead(read, now, version);
      assertThat(wasSo).as("%s is a state of that time in %s", read, whole).isTrue();
    }
  }

  private static boolean isWhatWasRead(Read read, @Nullable Bytes value, long version) {
    return Objects.equals(read.value, value) && (value == null || read.version == version);
  }
}
