package io.lockstep.openflow.channel;

import io.lockstep.openflow.codec.UnsupportedMessage;
import java.util.Locale;

/** Says in words what a switch sent that this controller does not know. Pure. */
final class UnknownMessage {
  /** EXPERIMENTER of OpenFlow 1.3 (section 7.5.4), VENDOR of 1.0 (section 5.5.4). */
  private static final int TYPE_EXPERIMENTER = 4;

  private static final int VENDOR_AT = 8;

  private UnknownMessage() {}

  /** The end of a sentence such as "the switch sent ". */
  static String describe(UnsupportedMessage message) {
    byte[] head = message.head();
    if (message.type() == TYPE_EXPERIMENTER && head.length >= VENDOR_AT + 4) {
      return String.format(
          Locale.ROOT,
          "a notice of its vendor (experimenter id 0x%08x), which this controller does not know"
              + " and ignores; it is logged once for a connection",
          number(head, VENDOR_AT));
    }
    return "a message of type "
        + message.type()
        + " with content that this controller does not know and ignores; it is logged once for a"
        + " connection";
  }

  private static int number(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }
}
