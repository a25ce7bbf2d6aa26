package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.store.log.Start;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The starts that a directory knows of. */
class StartsFileTest {
  private static final Identity OWNER = new Identity("c", 1);

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1));

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
    starts.keep(1, new Start(1, 11));
    starts.keep(2, new Start(4, -5));
    starts.keep(1, new Start(2, 22));
    disk.crash();
    StartsFile after = open();
    assertThat(after.of(0)).isEqualTo(Start.NONE);
    assertThat(after.of(1)).isEqualTo(new Start(2, 22));
    assertThat(after.of(2)).isEqualTo(new Start(4, -5));
  }

  @Test
  void crashWhileAStartIsKeptLeavesItOrTheOneBefore() throws IOException {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      SimulatedDisk fails = new SimulatedDisk(random);
      StartsFile starts = StartsFile.open(fails.open(), OWNER);
      starts.keep(1, new Start(1, 11));
      int[] left = {random.nextInt(5)};
      fails.setFaults(
          (operation, file) -> {
            if (left[0]-- <= 0) {
              throw new IOException("injected failure");
            }
          });
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

  @Test
  void formatIsThatOfVersionOne() throws IOException {
    StartsFile starts = open();
    starts.keep(2, new Start(258, 0x0102030405060708L));
    byte[] place = Arrays.copyOf(disk.bytes("starts"), 57);
    assertThat(HexFormat.of().formatHex(place, 0, 57))
        .isEqualTo(
            // Kind, version, length.
            "4c53544550535441"
                + "00000001"
                + "00000029"
                // Whose it is: a name of one letter, replica 1.
                + "00000001"
                + "63"
                + "00000001"
                // One change, one start: of replica 2, its number and its nonce.
                + "0000000000000001"
                + "00000001"
                + "00000002"
                + "0000000000000102"
                + "0102030405060708");
    assertThat(disk.bytes("starts")).hasSize(4096 + 61);
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
