package io.lockstep.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir private Path directory;
  private Path file = Path.of("f");

  @BeforeEach
  void name() {
    file = directory.resolve("f.yaml");
  }

  private void refuses(int mostBytes, String message) {
    assertThatThrownBy(() -> TextFile.read(file, mostBytes, "name another"))
        .isInstanceOf(UnreadableFileException.class)
        .hasMessage(file + message);
  }

  @Test
  void aFileOfTheLargestSizeIsReadAndOneByteMoreIsRefused() throws IOException {
    Files.writeString(file, "name: ä");
    assertThat(TextFile.read(file, 8, "")).isEqualTo("name: ä");
    refuses(7, ":1:1: larger than 7 bytes\n    remedy: is it the right file?");
  }

  /** Its size is 0 to whoever asks, and it never ends. */
  @Test
  void aFileWithoutEndIsRefused() {
    file = Path.of("/dev/zero");
    refuses(1000, ":1:1: larger than 1000 bytes\n    remedy: is it the right file?");
  }

  @Test
  void aMissingFileAndADirectoryAreNamedWithTheRemedy() throws IOException {
    refuses(10, ":1:1: no such file\n    remedy: name another");
    Files.createDirectory(file);
    refuses(10, ":1:1: cannot be read: Is a directory\n    remedy: name another");
  }

  @Test
  void aByteThatIsNotUtf8IsNamedWithItsPlace() throws IOException {
    Files.write(file, "name: ä\nhost: ä".getBytes(StandardCharsets.ISO_8859_1));
    refuses(100, ":1:7: this is not UTF-8\n    remedy: save the file as UTF-8 text");
    Files.write(file, new byte[] {'a', '\n', 'b', 'c', (byte) 0xC3});
    refuses(100, ":2:3: this is not UTF-8\n    remedy: save the file as UTF-8 text");
  }
}
