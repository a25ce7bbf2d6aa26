package io.lockstep.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The bytes of what replicas and clients of two releases say to each other, or read from each
 * other's disks, as they were when each form came into being: in the test resources, a name and
 * hexadecimal bytes a line. A line is never written anew: {@code mvn test -pl datastore
 * -Dtest='Kept*Test' -Dlockstep.format.write=true} only adds lines of new names.
 */
public final class KeptForms {
  private static final Path KEPT =
      Path.of("src", "test", "resources", "io", "lockstep", "store", "kept");

  private final Path file;
  private final Map<String, byte[]> kept = new TreeMap<>();

  private KeptForms(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int space = line.lastIndexOf(' ');
        kept.put(line.substring(0, space), HexFormat.of().parseHex(line.substring(space + 1)));
      }
    }
  }

  /** Those in a file of this name, without its ending. */
  public static KeptForms of(String name) throws IOException {
    return new KeptForms(KEPT.resolve(name + ".txt"));
  }

  /** Fails where one of these is not kept, or is written in another way than it was. */
  public void areThoseOf(Map<String, byte[]> todays) throws IOException {
    if (Boolean.getBoolean("lockstep.format.write")) {
      todays.forEach(kept::putIfAbsent);
      StringBuilder lines = new StringBuilder();
      kept.forEach(
          (name, bytes) ->
              lines.append(name).append(' ').append(HexFormat.of().formatHex(bytes)).append('\n'));
      Files.createDirectories(KEPT);
      Files.writeString(file, lines);
    }
    assertThat(kept.keySet())
        .as("names in %s; KeptForms says how new ones are added", file)
        .isEqualTo(new TreeMap<>(todays).keySet());
    todays.forEach(
        (name, bytes) ->
            assertThat(HexFormat.of().formatHex(bytes))
                .as(
                    "%s is no longer written as releases before read it. A new form needs a version"
                        + " of the cluster from which on it is written, and a name of its own in %s:"
                        + " docs/adr/0043",
                    name, file)
                .isEqualTo(HexFormat.of().formatHex(bytesOf(name))));
  }

  /** The bytes that were kept under a name. */
  public byte[] bytesOf(String name) {
    byte[] bytes = kept.get(name);
    if (bytes == null) {
      throw new AssertionError(file + " has no " + name);
    }
    return bytes.clone();
  }
}
