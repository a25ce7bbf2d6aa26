package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.openflow.codec.UnsupportedMessage;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
  private static final Pattern OXM = Pattern.compile("OFOxmVer13: (-?\\d+)");

  private UnreadRequest() {}

  static ModelError error(UnsupportedMessage message) {
    String reason = message.reason();
    return switch (message.type()) {
      case EXPERIMENTER -> ModelError.BAD_EXPERIMENTER;
      case 16, 18 -> ModelError.BAD_MULTIPART; // 16 is a port-mod in 1.3, which is always known
      case PACKET_OUT, FLOW_MOD -> {
        if (reason.contains("Oxm")) {
          yield isInMatch(message) ? ModelError.BAD_FIELD : setField(reason);
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

  /** openflowj knows a field by class, number, mask and length together. */
  private static ModelError setField(String reason) {
    Matcher oxm = OXM.matcher(reason);
    if (!oxm.find()) {
      return ModelError.BAD_SET_TYPE;
    }
    int header = Integer.parseInt(oxm.group(1));
    int number = (header >>> 9) & 0x7f;
    boolean known =
        header >>> 16 == BASIC_CLASS
            && Arrays.stream(OxmField.values()).anyMatch(field -> field.oxmNumber() == number);
    if (!known) {
      return ModelError.BAD_SET_TYPE;
    }
    boolean masked = (header & 0x100) != 0;
    return masked ? ModelError.BAD_SET_ARGUMENT : ModelError.BAD_SET_LEN;
  }
}
