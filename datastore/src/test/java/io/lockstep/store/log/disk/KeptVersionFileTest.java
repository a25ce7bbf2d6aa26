package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.KeptForms;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The file {@code version} is written as it was; {@link FormatSample} has the files beside it. */
class KeptVersionFileTest {
  private static final Identity OWNER = new Identity("sample", 1);

  @Test
  void versionFile() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1));
    VersionFile.open(disk.open(), OWNER, 9).keep(9);
    byte[] todays = disk.bytes(FileNames.VERSION);
    KeptForms kept = KeptForms.of("files");
    kept.areThoseOf(Map.of("version", todays));
    disk.replace(FileNames.VERSION, kept.bytesOf("version"));
    assertThat(VersionFile.open(disk.open(), OWNER, 9).number()).isEqualTo(9);
  }
}
