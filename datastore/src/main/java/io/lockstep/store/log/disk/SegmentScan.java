package io.lockstep.store.log.disk;

import io.lockstep.store.log.Chain;
import io.lockstep.store.log.Decision;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a whole segment, checks every record, and checks that the history continues in it. */
final class SegmentScan {

  /**
   * The result.
   *
   * @param next the instance after the last one
   * @param chain the chain hash after the last instance
   * @param end offset at which the valid records end
   * @param torn the part after the end, to be cut off: records that were never synced, or were
   *     truncated; null if there is none
   */
  record Result(long next, byte[] chain, long end, @Nullable Damage torn) {}

  private SegmentScan() {}

  /**
   * Scans one segment and fills its index.
   *
   * @param before the chain hash before its first instance
   * @param last whether no other segment comes after it
   * @param cutAfter decisions after this instance do not count
   * @param visitor receives each decision in order
   * @throws DamageException if a durable part is not as it was written
   */
  static Result scan(
      Segment segment,
      byte[] before,
      boolean last,
      long cutAfter,
      Chain hash,
      Consumer<Decision> visitor)
      throws IOException {
    if (!Arrays.equals(segment.header().chainBefore(), before)) {
      throw new DamageException(segment.name(), 0, "it does not continue the history before it");
    }
    RecordReader reader = segment.readerOfAll();
    long first = segment.header().first();
    return scan(segment, reader, first, before, last, cutAfter, hash, visitor);
  }

  /**
   * Scans only the part after a snapshot in a segment that is damaged or unreadable before it.
   *
   * @param base the snapshot's decision
   * @return null if no record shows where that part begins, or if the segment holds another
   *     decision than the snapshot's
   * @throws DamageException if a part after the snapshot is not as it was written
   * @throws UnreadableException if a part after the snapshot cannot be read
   */
  static @Nullable Result scanAfter(
      Segment segment,
      Decision base,
      boolean last,
      long cutAfter,
      Chain hash,
      Consumer<Decision> visitor)
      throws IOException {
    PatchyReads patchy = new PatchyReads(segment.file());
    RecordReader search = segment.searchOfAll(patchy);
    boolean otherHistory =
        segment
                .searchOfAll(patchy)
                .skipTo(
                    found -> is(found.decision(), base.instance()) && !same(found.decision(), base))
            != null;
    if (otherHistory || !skipTo(search, base)) {
      return null;
    }
    segment.marked(search.position());
    // The snapshot does not include anything from here on, so all of it must be readable.
    RecordReader reader = segment.readerFrom(search.position());
    return scan(segment, reader, base.instance() + 1, base.chain(), last, cutAfter, hash, visitor);
  }

  /**
   * Goes to the decision after the snapshot's. If there is none, goes behind a record after which
   * it would be next: a mark, or the snapshot's decision itself.
   */
  private static boolean skipTo(RecordReader reader, Decision base) throws IOException {
    long next = base.instance() + 1;
    if (reader.skipTo(found -> is(found.decision(), next)) != null) {
      return true;
    }
    if (reader.skipTo(found -> found.decision() == null && found.durable() == next) == null
        && reader.skipTo(found -> same(found.decision(), base)) == null) {
      return false;
    }
    reader.next();
    return true;
  }

  private static boolean is(@Nullable Decision decision, long instance) {
    return decision != null && decision.instance() == instance;
  }

  private static boolean same(@Nullable Decision decision, Decision base) {
    return decision != null
        && decision.instance() == base.instance()
        && Arrays.equals(decision.chain(), base.chain());
  }

  private static Result scan(
      Segment segment,
      RecordReader reader,
      long first,
      byte[] before,
      boolean last,
      long cutAfter,
      Chain hash,
      Consumer<Decision> visitor)
      throws IOException {
    String name = segment.name();
    byte[] chain = before;
    long next = first;
    RecordReader.ValidRecord record;
    while (next <= cutAfter && (record = reader.next()) != null) {
      Decision decision = record.decision();
      if (record.durable() > next) {
        throw new DamageException(name, record.offset(), "instance " + next + " is missing");
      }
      if (decision == null) {
        segment.marked(reader.position());
        continue;
      }
      if (decision.instance() != next || !hash.continues(chain, decision)) {
        throw new DamageException(
            name,
            record.offset(),
            "instance " + decision.instance() + " does not continue the history before it");
      }
      visitor.accept(decision);
      segment.added(next, record.offset(), reader.position());
      chain = decision.chain();
      next++;
    }
    Damage torn =
        next > cutAfter
            ? new Damage(name, reader.position(), "the records after it were truncated")
            : end(segment, reader, next, last);
    return new Result(next, chain, reader.position(), torn);
  }

  private static @Nullable Damage end(Segment segment, RecordReader reader, long next, boolean last)
      throws IOException {
    String name = segment.name();
    long end = reader.position();
    if (end == segment.file().length()) {
      return null;
    }
    if (!last) {
      throw new DamageException(name, end, "instance " + next + " should be here");
    }
    if (reader.onlyZerosFollow()) {
      return null;
    }
    long witness = reader.laterWitness(next);
    if (witness >= 0) {
      throw new DamageException(
          name,
          end,
          "instance " + next + " should be here: by the record at " + witness + " it was durable");
    }
    return new Damage(name, end, "the end was never synced");
  }
}
