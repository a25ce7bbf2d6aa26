package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Decision;
import io.lockstep.store.log.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a directory says of the cluster's version, to a release that knows it or does not. */
class VersionFileTest {
  private static final Identity OWNER = new Identity("c", 1);

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

  private VersionFile open(int newest) throws IOException {
    return VersionFile.open(disk.open(), OWNER, newest);
  }

  @Test
  void thereIsNoFileUpToTheBaseline() throws IOException {
    VersionFile version = open(2);
    version.keep(1);
    version.keep(2);
    assertThat(version.number()).isZero();
    assertThat(disk.files()).doesNotContain(FileNames.VERSION);
  }

  @Test
  void newestVersionIsKept() throws IOException {
    VersionFile version = open(5);
    version.keep(3);
    version.keep(5);
    version.keep(4);
    assertThat(version.number()).isEqualTo(5);
    assertThat(open(5).number()).isEqualTo(5);
  }

  @Test
  void releaseThatDoesNotKnowItIsRefusedAndChangesNothing() throws IOException {
    open(3).keep(3);
    byte[] before = disk.bytes(FileNames.VERSION);
    assertThatThrownBy(() -> open(2))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.NEWER_FORMAT))
        .hasMessageContaining("is of version 3 of the cluster")
        .hasMessageContaining("knows versions up to 2: run the release that the other nodes run");
    assertThat(disk.bytes(FileNames.VERSION)).isEqualTo(before);
  }

  @Test
  void anotherReplicasFileIsRefused() throws IOException {
    open(3).keep(3);
    assertThatThrownBy(() -> VersionFile.open(disk.open(), new Identity("c", 2), 3))
        .hasMessageContaining("belongs to replica 1");
  }

  @Test
  void oneDamagedCopyIsMadeUpForAndBothAreRefused() throws IOException {
    VersionFile version = open(4);
    version.keep(3);
    byte[] whole = disk.bytes(FileNames.VERSION);
    byte[] torn = whole.clone();
    torn[20] ^= 1;
    disk.replace(FileNames.VERSION, torn);
    assertThat(VersionFile.damage(disk.open())).isNotNull();
    VersionFile half = open(4);
    assertThat(half.number()).isEqualTo(3);
    half.settle();
    assertThat(disk.bytes(FileNames.VERSION)).isEqualTo(whole);
    assertThat(VersionFile.damage(disk.open())).isNull();
    torn[TwinFile.PLACE_BYTES + 20] ^= 1;
    disk.replace(FileNames.VERSION, torn);
    assertThatThrownBy(() -> open(4)).hasMessageContaining("both copies are damaged");
  }

  /** With the next format, which differs in nothing but its number. */
  @Test
  void decisionsAfterAChangeOfTheFormatGoIntoASegmentOfTheirOwn() throws IOException {
    List<Decision> decisions = History.after(Decision.NONE, 4, 10, 1);
    Segment.Header header =
        new Segment.Header(OWNER, 0, 0, Decision.NONE.chain(), 0x0123_4567_89ab_cdefL);
    Storage storage = disk.open();
    try (Segments segments =
        new Segments(storage, () -> 7L, List.of(Segments.create(storage, header)), 1 << 20, 0)) {
      segments.write(decisions.subList(0, 2), 0);
      segments.format(2);
      segments.write(decisions.subList(2, 3), 2);
      segments.write(decisions.subList(3, 4), 3);
      assertThat(segments.after(-1, 1 << 20)).usingRecursiveComparison().isEqualTo(decisions);
    }
    assertThat(disk.files())
        .containsExactlyInAnyOrder(FileNames.segment(0, 0), FileNames.segment(0, 2));
    assertThat(format(FileNames.segment(0, 0))).isEqualTo(1);
    assertThat(format(FileNames.segment(0, 2))).isEqualTo(2);
    assertThatThrownBy(() -> Segment.open(disk.open(), FileNames.segment(0, 2)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("format version 2");
  }

  private int format(String name) {
    return ByteBuffer.wrap(disk.bytes(name)).getInt(Long.BYTES);
  }

  @Test
  void changedFormatOfAnEmptySegmentWaitsForTheNextOne() throws IOException {
    Segment.Header header =
        new Segment.Header(OWNER, 0, 0, Decision.NONE.chain(), 0x0123_4567_89ab_cdefL);
    Storage storage = disk.open();
    try (Segments segments =
        new Segments(storage, () -> 7L, List.of(Segments.create(storage, header)), 1 << 20, 0)) {
      segments.format(2);
      segments.write(History.after(Decision.NONE, 1, 10, 1), 0);
    }
    assertThat(disk.files()).containsExactly(FileNames.segment(0, 0));
  }
}
