# An output whose values are not compared.

m0_op0 = Input("op0", ["TENSOR_FLOAT32", [1, 4]])
m0_op1 = Parameter("op1", ["INT32", []], [2])
m0_op2 = Output("op2", ["TENSOR_FLOAT32", [1, 2]])
m0_op3 = IgnoredOutput("op3", ["TENSOR_INT32", [1, 2]])
m0 = Model("topk_ignored_indices")
m0.IdentifyInputs(m0_op0)
m0.IdentifyOutputs(m0_op2, m0_op3)
m0.Operation("TOPK_V2", m0_op0, m0_op1).To(m0_op2, m0_op3)
m0.IntroducedIn("V1_2")
Example({m0_op0: [1.0, 4.0, 4.0, 2.0], m0_op2: [4.0, 4.0], m0_op3: [0, 0]}, model=m0, name="topk_ignored_indices").DisableLifeTimeVariation()
