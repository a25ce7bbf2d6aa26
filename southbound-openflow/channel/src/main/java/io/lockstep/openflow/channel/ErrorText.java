package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.openflow.codec.UnsupportedMessage;
import java.nio.charset.StandardCharsets;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadActionErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadInstructionErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadMatchErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFBadRequestErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFExperimenterErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFFlowModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFGroupModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFHelloFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFMeterModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFPortModFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFQueueOpFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFRoleRequestFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFSwitchConfigFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFTableFeaturesFailedErrorMsg;
import org.projectfloodlight.openflow.protocol.errormsg.OFTableModFailedErrorMsg;

/**
 * Errors of switches for people: type and code by name (OpenFlow 1.3.5 section 7.4.4). Errors of
 * OpenFlow 1.0 (section 5.4.4) get the names that 1.3 has for them.
 */
final class ErrorText {
  /** A role request with an old generation id. */
  static final String STALE = "ROLE_REQUEST_FAILED/STALE";

  /** Actions in an order that the switch cannot carry out; 1.0 says it of the flow-mod. */
  private static final String UNSUPPORTED_ORDER = "BAD_ACTION/UNSUPPORTED_ORDER";

  private static final int TYPE_AT = 8;
  private static final int HELLO_FAILED = 0;

  private ErrorText() {}

  /** For example {@code FLOW_MOD_FAILED/TABLE_FULL}. */
  static String of(OFErrorMsg error) {
    Object code = code(error);
    if (code == OFFlowModFailedCode.ALL_TABLES_FULL) {
      return SwitchErrors.TABLE_FULL;
    }
    return code == OFFlowModFailedCode.UNSUPPORTED
        ? UNSUPPORTED_ORDER
        : error.getErrType() + "/" + code;
  }

  /** The same for an error that openflowj does not know, or of another version. */
  static String of(UnsupportedMessage error) {
    byte[] head = error.head();
    if (head.length < TYPE_AT + 4) {
      return "ERROR without type";
    }
    int type = (head[TYPE_AT] & 0xff) << 8 | (head[TYPE_AT + 1] & 0xff);
    int code = (head[TYPE_AT + 2] & 0xff) << 8 | (head[TYPE_AT + 3] & 0xff);
    return type == HELLO_FAILED ? "HELLO_FAILED/" + code : "type " + type + " code " + code;
  }

  /** The text that a HELLO_FAILED error carries, printable. */
  static String helloText(OFErrorMsg error) {
    return new String(error.getData().getData(), StandardCharsets.US_ASCII)
        .replaceAll("[^ -~]", ".");
  }

  private static Object code(OFErrorMsg error) {
    return switch (error.getErrType()) {
      case HELLO_FAILED -> ((OFHelloFailedErrorMsg) error).getCode();
      case BAD_REQUEST -> ((OFBadRequestErrorMsg) error).getCode();
      case BAD_ACTION -> ((OFBadActionErrorMsg) error).getCode();
      case BAD_INSTRUCTION -> ((OFBadInstructionErrorMsg) error).getCode();
      case BAD_MATCH -> ((OFBadMatchErrorMsg) error).getCode();
      case FLOW_MOD_FAILED -> ((OFFlowModFailedErrorMsg) error).getCode();
      case GROUP_MOD_FAILED -> ((OFGroupModFailedErrorMsg) error).getCode();
      case PORT_MOD_FAILED -> ((OFPortModFailedErrorMsg) error).getCode();
      case TABLE_MOD_FAILED -> ((OFTableModFailedErrorMsg) error).getCode();
      case QUEUE_OP_FAILED -> ((OFQueueOpFailedErrorMsg) error).getCode();
      case SWITCH_CONFIG_FAILED -> ((OFSwitchConfigFailedErrorMsg) error).getCode();
      case ROLE_REQUEST_FAILED -> ((OFRoleRequestFailedErrorMsg) error).getCode();
      case METER_MOD_FAILED -> ((OFMeterModFailedErrorMsg) error).getCode();
      case TABLE_FEATURES_FAILED -> ((OFTableFeaturesFailedErrorMsg) error).getCode();
      case EXPERIMENTER -> ((OFExperimenterErrorMsg) error).getSubtype();
      default -> "?";
    };
  }
}
