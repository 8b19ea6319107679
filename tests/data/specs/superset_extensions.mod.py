# Assay spec superset 1: extensions, raw

m0_op0 = Input("op0", ["EXTENSION_4242_7", [2, 0]], extensionParams=bytes.fromhex("00ff10"))
m0_op1 = Parameter("op1", ["EXTENSION_4242_65535", []], bytes.fromhex("0102"), extensionParams=bytes.fromhex("01"))
m0_op2 = Output("op2", ["TENSOR_FLOAT32", [1]])
m0 = Model("extensions")
m0.Extension("com.example.\"quoted\\name\"", 4242)
m0.Extension("", 1)
m0.IdentifyInputs(m0_op0)
m0.IdentifyOutputs(m0_op2)
m0.Operation("EXTENSION_4242_0", m0_op0, m0_op1).To(m0_op2)
Example({m0_op0: bytes.fromhex("0a0b0c"), m0_op2: [1.0]}, model=m0, name="extensions").DisableLifeTimeVariation()
