package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.openflow.codec.UnsupportedMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why a request is refused that was well framed and has content which the codec does not know
 * (OpenFlow 1.3.5 section 7.4.4). The reason that the codec gives names openflowj's class.
 */
final class UnreadRequest {
  private static final int EXPERIMENTER = 4;
  private static final int PACKET_OUT = 13;
  private static final int FLOW_MOD = 14;

  /** In a flow-mod of 1.3, where the match begins and where its length is. */
  private static final int MATCH = 48;

  private static final int MATCH_LENGTH = 50;
  private static final int BASIC_CLASS = 0x8000;

  /** openflowj's reader of match fields says which four bytes a field began with. */
  private static final Pattern OXM = Pattern.compile("Oxm with \\w+ (-?\\d+) is not known");

  private UnreadRequest() {}

  static ModelError error(UnsupportedMessage message) {
    String reason = message.reason();
    return switch (message.type()) {
      case EXPERIMENTER -> ModelError.BAD_EXPERIMENTER;
      case 16, 18 -> ModelError.BAD_MULTIPART; // 16 is a port-mod in 1.3, which is always known
      case PACKET_OUT, FLOW_MOD -> {
        if (reason.contains("Oxm")) {
          yield isInMatch(message) ? matchField(reason) : setField(reason);
        } else if (reason.contains("Action")) {
          yield ModelError.BAD_ACTION_TYPE;
        }
        yield reason.contains("Instruction")
            ? ModelError.UNKNOWN_INSTRUCTION
            : ModelError.BAD_REQUEST_TYPE;
      }
      default -> ModelError.BAD_REQUEST_TYPE;
    };
  }

  /** A packet-out has none. */
  private static boolean isInMatch(UnsupportedMessage message) {
    if (message.type() == PACKET_OUT || message.head().length < MATCH_LENGTH + Short.BYTES) {
      return false;
    }
    int length = Short.toUnsignedInt(ByteBuffer.wrap(message.head()).getShort(MATCH_LENGTH));
    return message.offset() <= MATCH + length;
  }

  /** What is wrong with a field that is matched on (OFPET_BAD_MATCH). */
  private static ModelError matchField(String reason) {
    return unread(reason)
        .map(field -> field.hasItsLength() ? ModelError.BAD_FIELD : ModelError.BAD_LEN)
        .orElse(ModelError.BAD_FIELD);
  }

  /** What is wrong with a field that an action sets (OFPET_BAD_ACTION). */
  private static ModelError setField(String reason) {
    return unread(reason)
        .map(field -> field.masked() ? ModelError.BAD_SET_ARGUMENT : ModelError.BAD_SET_LEN)
        .orElse(ModelError.BAD_SET_TYPE);
  }

  /** A field that the switch has, in a form that it has not. */
  private record Unread(OxmField known, boolean masked, int octets) {
    boolean hasItsLength() {
      int value = (known.bits() + Byte.SIZE - 1) / Byte.SIZE;
      return octets == (masked ? 2 * value : value);
    }
  }

  /**
   * openflowj knows a field by class, number, mask and length together, and names all four where it
   * does not; empty where the class or the number is not the switch's.
   */
  private static Optional<Unread> unread(String reason) {
    Matcher oxm = OXM.matcher(reason);
    if (!oxm.find()) {
      return Optional.empty();
    }
    int header = Integer.parseInt(oxm.group(1));
    if (header >>> 16 != BASIC_CLASS) {
      return Optional.empty();
    }
    int number = (header >>> 9) & 0x7f;
    return Arrays.stream(OxmField.values())
        .filter(field -> field.oxmNumber() == number)
        .findFirst()
        .map(field -> new Unread(field, (header & 0x100) != 0, header & 0xff));
  }
}
