package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.openflow.codec.UnsupportedMessage;
import org.junit.jupiter.api.Test;

class UnknownMessageTest {
  private static final String LIBRARY = "Unknown value for discriminator experimenter: 1";

  @Test
  void aVendorsNoticeIsNamedWithItsId() {
    byte[] head = {4, 4, 0, 16, 0, 0, 0, 9, 0, 0, (byte) 0x23, 0x20, 0, 0, 0, 1};
    assertThat(UnknownMessage.describe(new UnsupportedMessage(4, 4, 9, 16, LIBRARY, 12, head)))
        .startsWith("a notice of its vendor (experimenter id 0x00002320)")
        .doesNotContain("discriminator");
  }

  @Test
  void anotherMessageIsNamedByItsType() {
    byte[] head = {4, 12, 0, 8, 0, 0, 0, 9};
    assertThat(UnknownMessage.describe(new UnsupportedMessage(4, 12, 9, 8, LIBRARY, 8, head)))
        .startsWith("a message of type 12 with content")
        .doesNotContain("discriminator");
  }

  @Test
  void aVendorsNoticeThatIsCutIsNamedByItsType() {
    byte[] head = {4, 4, 0, 8, 0, 0, 0, 9};
    assertThat(UnknownMessage.describe(new UnsupportedMessage(4, 4, 9, 8, LIBRARY, 8, head)))
        .startsWith("a message of type 4");
  }
}
