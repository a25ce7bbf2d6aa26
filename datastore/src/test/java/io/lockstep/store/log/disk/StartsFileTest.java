package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.OwnStart;
import io.lockstep.store.log.Progress;
import io.lockstep.store.log.Start;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The starts that a directory knows of. */
class StartsFileTest {
  private static final Identity OWNER = new Identity("c", 1);

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

  private OwnStart own(long number) {
    return new OwnStart(new Start(number, -number), new Progress(number, 0, 10 * number));
  }

  private StartsFile open() throws IOException {
    return StartsFile.open(disk.open(), OWNER);
  }

  @Test
  void directoryWithoutTheFileKnowsOfNone() throws IOException {
    assertThat(open().of(0)).isEqualTo(Start.NONE);
    assertThat(disk.files()).isEmpty();
  }

  @Test
  void whatIsKeptSurvivesTheLossOfPower() throws IOException {
    StartsFile starts = open();
    starts.keep(0, new Start(1, 11));
    starts.keep(2, new Start(4, -5));
    starts.keepOwn(List.of(own(1), own(2)));
    starts.keep(0, new Start(2, 22));
    disk.crash();
    StartsFile after = open();
    assertThat(after.of(0)).isEqualTo(new Start(2, 22));
    assertThat(after.of(2)).isEqualTo(new Start(4, -5));
    assertThat(after.of(3)).isEqualTo(Start.NONE);
    assertThat(after.own()).containsExactly(own(1), own(2));
  }

  @Test
  void crashWhileAStartIsKeptLeavesItOrTheOneBefore() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      SimulatedDisk fails = new SimulatedDisk(random);
      StartsFile starts = StartsFile.open(fails.open(), OWNER);
      starts.keep(1, new Start(1, 11));
      failAfter(fails, random.nextInt(5));
      boolean kept = true;
      try {
        starts.keep(1, new Start(2, 22));
      } catch (IOException injected) {
        kept = false;
      }
      fails.crash();
      long number = StartsFile.open(fails.open(), OWNER).of(1).number();
      assertThat(number).as("seed %s", seed).isBetween(kept ? 2L : 1L, 2L);
    }
  }

  /** A process is killed while it writes; the next one reads that, and loses power. */
  @Test
  void whatWasReadIsNotLostWithThePower() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      SimulatedDisk fails = new SimulatedDisk(random);
      StartsFile starts = StartsFile.open(fails.open(), OWNER);
      starts.keep(2, new Start(1, 11));
      failAfter(fails, random.nextInt(5));
      try {
        starts.keep(2, new Start(2, 22));
      } catch (IOException injected) {
        // As if it had been killed there.
      }
      fails.kill();
      StartsFile next = StartsFile.open(fails.open(), OWNER);
      next.settle();
      Start read = next.of(2);
      failAfter(fails, random.nextInt(5));
      try {
        next.keepOwn(List.of(own(1)));
      } catch (IOException injected) {
        // The power is lost there.
      }
      fails.crash();
      assertThat(StartsFile.open(fails.open(), OWNER).of(2)).as("seed %s", seed).isEqualTo(read);
    }
  }

  private static void failAfter(SimulatedDisk disk, int operations) {
    int[] left = {operations};
    disk.setFaults(
        (operation, file) -> {
          if (left[0]-- <= 0) {
            throw new IOException("injected failure");
          }
        });
  }

  @Test
  void mostThatCanBeKeptFitsIntoItsPlace() throws IOException {
    Identity longest = new Identity("c".repeat(64), 1);
    StartsFile starts = StartsFile.open(disk.open(), longest);
    List<OwnStart> own = LongStream.rangeClosed(1, OwnStart.MOST_KEPT).mapToObj(this::own).toList();
    starts.keepOwn(own);
    for (int peer = 0; peer < 64; peer++) {
      starts.keep(peer, new Start(1, peer));
    }
    assertThat(StartsFile.open(disk.open(), longest).own()).isEqualTo(own);
  }

  @Test
  void formatIsThatOfVersionOne() throws IOException {
    StartsFile starts = open();
    starts.keepOwn(List.of(new OwnStart(new Start(3, 0x1112131415161718L), new Progress(4, 5, 6))));
    starts.keep(2, new Start(258, 0x0102030405060708L));
    byte[] place = Arrays.copyOf(disk.bytes("starts"), 97);
    assertThat(HexFormat.of().formatHex(place, 0, 97))
        .isEqualTo(
            // Kind, version, length.
            "4c53544550535441"
                + "00000001"
                + "00000051"
                // Whose it is: a name of one letter, replica 1.
                + "00000001"
                + "63"
                + "00000001"
                // Two changes. One start of its own: number, nonce, what was found.
                + "0000000000000002"
                + "00000001"
                + "0000000000000003"
                + "1112131415161718"
                + "0000000000000004"
                + "00000005"
                + "0000000000000006"
                // One of a peer, replica 2: number and nonce.
                + "00000001"
                + "00000002"
                + "0000000000000102"
                + "0102030405060708");
    assertThat(disk.bytes("starts")).hasSize(4096 + 101);
  }

  @Test
  void oneDamagedCopyIsMadeUpForAndTwoAreRefused() throws IOException {
    open().keep(2, new Start(7, 77));
    byte[] bytes = disk.bytes("starts");
    bytes[30] ^= 1;
    disk.replace("starts", bytes);
    assertThat(open().of(2)).isEqualTo(new Start(7, 77));
    assertThat(StartsFile.damage(disk.open())).isNotNull();
    bytes[4096 + 30] ^= 1;
    disk.replace("starts", bytes);
    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.reason()).isEqualTo(RefusedException.Reason.DAMAGED))
        .hasMessageContaining("starts");
  }

  @Test
  void anotherReplicasFileIsRefused() throws IOException {
    open().keep(2, new Start(7, 77));
    assertThatThrownBy(() -> StartsFile.open(disk.open(), new Identity("c", 2)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("belongs to replica 1");
  }
}
