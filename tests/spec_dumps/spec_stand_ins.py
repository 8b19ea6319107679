#!/usr/bin/env python3
"""Runs spec files as Python programs, with small stand-ins for the classes that they call, and prints what they say.

Shows that what Assay writes is valid Python, and says the same to Python as to Assay's reader: spec_text.cc prints the
same lines from what the reader gives. Usage: spec_stand_ins.py file...
"""

import struct
import sys

FORMATS = {
    "FLOAT32": "f", "TENSOR_FLOAT32": "f", "FLOAT16": "e", "TENSOR_FLOAT16": "e",
    "INT32": "i", "TENSOR_INT32": "i", "UINT32": "I", "BOOL": "?", "TENSOR_BOOL8": "?",
    "TENSOR_QUANT8_ASYMM": "B", "TENSOR_QUANT8_SYMM": "b", "TENSOR_QUANT8_ASYMM_SIGNED": "b",
    "TENSOR_QUANT8_SYMM_PER_CHANNEL": "b", "TENSOR_QUANT16_ASYMM": "H", "TENSOR_QUANT16_SYMM": "h",
}


def float_hex(value):
    return struct.pack("<f", value).hex()


def values_hex(type_name, values):
    if isinstance(values, bytes):
        return values.hex()
    for value in values:
        wants_float = FORMATS[type_name] in "fe"
        wants_bool = FORMATS[type_name] == "?"
        if isinstance(value, float) != wants_float or isinstance(value, bool) != wants_bool:
            raise TypeError(f"{value!r} in {type_name}")
    return struct.pack(f"<{len(values)}{FORMATS[type_name]}", *values).hex()


def list_text(values):
    return "[" + ", ".join(str(value) for value in values) + "]"


class SymmPerChannelQuantParams:
    def __init__(self, channelDim, scales):
        self.channel_dim, self.scales = channelDim, scales


class Session:
    """The state of one file: the operands since the last model, the models since the last example, the output."""

    def __init__(self):
        self.operands, self.models, self.lines = [], [], []
        self.names = {}

    def name_of(self, operand):
        return operand if isinstance(operand, int) else self.names[id(operand)]


def stand_ins(session):
    class Operand:
        kind = "?"

        def __init__(self, string, type_list, *value, extraParams=None, extensionParams=b"", **keywords):
            assert string == f"op{len(session.operands)}", string
            self.type, self.dims = type_list[0], type_list[1]
            self.scale, self.zero_point = type_list[2:] if len(type_list) > 2 else (0.0, 0)
            self.text = f"{self.kind} {self.type} {list_text(self.dims)} {float_hex(self.scale)} {self.zero_point}"
            if extraParams is not None:
                self.text += f" {extraParams.channel_dim} {list_text(map(float_hex, extraParams.scales))}"
            if extensionParams:
                self.text += " extension " + extensionParams.hex()
            if "value" in keywords:
                value = [keywords.pop("value")]
            assert not keywords and len(value) == (self.kind == "Parameter")
            if self.kind == "Parameter":
                self.text += " = " + ("None" if value[0] is None else values_hex(self.type, value[0]))
            session.operands.append(self)

    class SubgraphReference(Operand):
        kind = "SubgraphReference"

        def __init__(self, string, model, type_list=("SUBGRAPH", []), **keywords):
            super().__init__(string, type_list, **keywords)
            self.text += " -> " + (str(model) if isinstance(model, int) else model.title)

    class Model:
        def __init__(self, title):
            self.title = title
            self.operands, session.operands = session.operands, []
            self.inputs, self.outputs, self.operations, self.flags = (), (), [], []
            session.models.append(self)

        def IdentifyInputs(self, *operands):
            self.inputs = operands

        def IdentifyOutputs(self, *operands):
            self.outputs = operands

        def Operation(self, name, *inputs):
            self.operations.append((name, inputs))
            return self

        def To(self, *outputs):
            self.operations[-1] += (outputs,)

        def RelaxedExecution(self, relaxed):
            assert relaxed is True
            self.flags.append("relaxed")

        def IntroducedIn(self, version):
            self.flags.append(version)

        def Extension(self, name, prefix):
            self.flags.append(f"{prefix} {name}")

        def NoExample(self):
            session.lines.extend(case_lines(session))

    class Example:
        def __init__(self, *values, model, name):
            session.lines.extend(case_lines(session))
            if len(values) == 1:
                assert list(values[0]) == [*model.inputs, *model.outputs]
                pairs = list(values[0].items())
            else:
                places = [[*model.inputs], [*model.outputs]]
                pairs = []
                for value_list, operands in zip(values, places):
                    operands += [len(model.operands)] * (len(value_list) - len(operands))
                    pairs += zip(operands, value_list)
            session.lines.append(f"example {name}")
            session.lines.extend("  " + self.entry(model, *pair) for pair in pairs)

        @staticmethod
        def entry(model, operand, values):
            if values is None or (values == [] and operand in model.inputs):
                return "omitted"
            dims = None if isinstance(operand, int) else operand.dims
            type_name = None if isinstance(operand, int) else operand.type
            if isinstance(values, tuple):
                dims, values = values
            return f"{list_text(dims)} {values_hex(type_name, values)}"

        def DisableLifeTimeVariation(self):
            return self

        def WithMultinomialDistributionTolerance(self, tolerance):
            session.lines.append("  tolerance " + float_hex(tolerance))
            return self

        def ExpectFailure(self):
            session.lines.append("  fails")
            return self

    classes = {kind: type(kind, (Operand,), {"kind": kind})
               for kind in ("Input", "Output", "IgnoredOutput", "Internal", "Parameter")}
    return {**classes, "SubgraphReference": SubgraphReference, "Model": Model, "Example": Example,
            "SymmPerChannelQuantParams": SymmPerChannelQuantParams}


def case_lines(session):
    """What the models since the last example say; they end with this."""
    for name, value in session.namespace.items():
        session.names[id(value)] = name
    name_of = session.name_of
    for model in session.models:
        yield (f"model {name_of(model)} {model.title}: {len(model.operands)} operands, "
               f"{len(model.operations)} operations")
        for operand in model.operands:
            yield f"  {name_of(operand)} {operand.text}"
        yield "  inputs " + list_text(map(name_of, model.inputs))
        yield "  outputs " + list_text(map(name_of, model.outputs))
        for name, inputs, outputs in model.operations:
            yield f"  {name} {list_text(map(name_of, inputs))} {list_text(map(name_of, outputs))}"
        if model.flags:
            yield "  flags " + ", ".join(model.flags)
    session.models = []


def main():
    for path in sys.argv[1:]:
        session = Session()
        session.namespace = stand_ins(session)
        with open(path, encoding="ascii") as file:
            exec(compile(file.read(), path, "exec"), session.namespace)
        assert not session.models and not session.operands
        print("\n".join(session.lines))


if __name__ == "__main__":
    main()
